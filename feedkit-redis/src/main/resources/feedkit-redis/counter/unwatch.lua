-- KEYS: for each step the operations of a post.
-- ARGV: for each step the letters and the token of a watch.
-- The answers have no meaning.
local answers = {}
for step, once in ipairs(KEYS) do
    if redis.call('ZREM', once, '\2' .. ARGV[3 + 2 * step]) == 1 then
        endWatch(once)
    end
    answers[step] = ''
end
return answers
