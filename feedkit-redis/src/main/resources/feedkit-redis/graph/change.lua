-- KEYS: for each edge the followees and the edges of the reader.
-- ARGV: the time, and for each edge + (add it), - (remove it) or = (leave it as it is), the author, and the version to
-- exceed.
-- Answers for each edge with three flags, 1 or 0 (changed; exists now; an earlier change may be under way), and the
-- version.
local answers = {}
for i = 1, #KEYS / 2 do
    local followees, edges = KEYS[2 * i - 1], KEYS[2 * i]
    local aim, author, above = ARGV[3 * i - 1], ARGV[3 * i], tonumber(ARGV[3 * i + 1])
    local marks = redis.call('HMGET', edges, ' last', author)
    local version = math.max(numberIn(marks[1], edges) + 1, above + 1, micros)
    local changed, present = 0, aim == '+'
    if aim == '+' then
        changed = redis.call('ZADD', followees, 0, author)
    elseif aim == '-' then
        changed = redis.call('ZREM', followees, author)
    else
        present = redis.call('ZSCORE', followees, author)
    end
    redis.call('HSET', edges, ' last', stored(version), author, stored(version))
    answers[i] = string.format('%d%d%d%.0f', changed, present and 1 or 0, marks[2] and 1 or 0, version)
end
return answers
