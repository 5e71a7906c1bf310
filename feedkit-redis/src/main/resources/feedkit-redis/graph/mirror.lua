-- KEYS: for each edge the followers of the author, and the fence.
-- ARGV: the time, and for each edge the reader, 1 if the edge exists, 1 if an earlier change may be under way, and the
-- version.
-- Answers for each edge with 0, or with the version of the later change that rejected this one.
local HOUR = 3600000
local answers = {}
for i = 1, #KEYS / 2 do
    local followers, fence = KEYS[2 * i - 1], KEYS[2 * i]
    local reader, present, raced, version = ARGV[4 * i - 2], ARGV[4 * i - 1], ARGV[4 * i], tonumber(ARGV[4 * i + 1])
    local newest = numberIn(redis.call('GET', fence), fence)
    if newest > version then
        answers[i] = newest
    else
        answers[i] = 0
        if raced == '1' then
            redis.call('SET', fence, stored(version), 'PX', HOUR)
        end
        if present == '1' then
            redis.call('ZADD', followers, 0, reader)
        else
            redis.call('ZREM', followers, reader)
        end
    end
end
return answers
