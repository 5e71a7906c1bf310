-- KEYS: for each edge the edges of the reader.
-- ARGV: the time, and for each edge the author and the version that the author's side has.
-- Answers for each edge whether that was the last version.
local answers = {}
for i, edges in ipairs(KEYS) do
    local author, version = ARGV[2 * i], tonumber(ARGV[2 * i + 1])
    answers[i] = 0
    if numberIn(redis.call('HGET', edges, author), edges) == version then
        answers[i] = redis.call('HDEL', edges, author)
        if redis.call('HLEN', edges) == 1 then
            redis.call('DEL', edges)
        end
    end
end
return answers
