-- Changes edges on the reader's side.

-- Adds the edge (+), removes it (-) or leaves it as it is (=), under a version above the given one. Returns three flags,
-- 1 or 0 (changed; exists now; an earlier change may be under way), and the version.
local function write(followees, edges, aim, author, above)
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
    return changed, string.format('%d%d%d%.0f', changed, present and 1 or 0, marks[2] and 1 or 0, version)
end
