-- KEYS: ranked orders. ARGV: time, name, order, lifetime in milliseconds, the most snapshots of a reader.
-- Removes the snapshots that have ended, and the oldest beyond the bound. Answers with the number of snapshots.
local key, name, ends = KEYS[1], ARGV[2], timeIn(tonumber(ARGV[4]))
local list = listed(key)
local kept, last = { name .. ends }, timeAt(ends, 1)
for place = 1, #list, ENTRY do
    local other = list:sub(place, place + NAME - 1)
    local otherEnds = timeAt(list, place + NAME)
    if other ~= name then
        if otherEnds > now and #kept < tonumber(ARGV[5]) then
            kept[#kept + 1] = list:sub(place, place + ENTRY - 1)
            last = math.max(last, otherEnds)
        else
            redis.call('HDEL', key, other)
        end
    end
end
redis.call('HSET', key, name, ARGV[3], LIST, '\1' .. table.concat(kept))
-- With a test's clock, the server cannot know when a key expires.
if ARGV[1] == '' then
    redis.call('PEXPIREAT', key, last)
end
return #kept
