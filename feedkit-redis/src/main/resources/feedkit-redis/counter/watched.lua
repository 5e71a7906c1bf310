-- KEYS: for each step the operations of a post.
-- ARGV: for each step the letters and the token of a watch.
-- Answers for each step with W and the first change by each user since the watch began, or with nothing if the watch
-- ended. A first change is a byte (1 if the user was added), and the name of the sequence and the user, each behind a
-- byte with its length. A watch that has not ended is renewed.
local answers = {}
for step, once in ipairs(KEYS) do
    local parts = {}
    if watchOf(once) == '\2' .. ARGV[3 + 2 * step] then
        parts[1] = 'W'
        renewWatch(once, ARGV[3 + 2 * step])
        local first = redis.call('ZRANGEBYSCORE', once, -2, -1, 'WITHSCORES')
        for i = 1, #first, 2 do
            parts[#parts + 1] = (first[i + 1] == '-2' and '\1' or '\0') .. first[i]:sub(2)
        end
    end
    answers[step] = table.concat(parts)
end
return answers
