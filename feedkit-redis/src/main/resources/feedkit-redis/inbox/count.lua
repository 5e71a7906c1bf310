-- KEYS: inbox, pending follows.
-- ARGV: the time, the first position that counts, limit, cap, the first position to read (empty if there is none), and
-- for each author who is counted apart: the author as at the end of an entry, from, below.
-- Answers in MessagePack with the header, the floor, the epoch, the fields of the pending follows, the number of
-- entries at or above the first position that are not counted apart, and the entries to read, below that position, from
-- the oldest. Header and epoch are empty if there are none.
local inbox, pendingFollows = KEYS[1], KEYS[2]
local limit, cap = tonumber(ARGV[3]), tonumber(ARGV[4])

-- The number of entries between two places that are counted apart. For most entries, their end shows that they are
-- another author's.
local function apart(first, last)
    local ranges, lengths = {}, {}
    for i = 6, #ARGV, 3 do
        ranges[ARGV[i]] = i + 1
        lengths[#ARGV[i]] = true
    end
    local found = 0
    for _, record in ipairs(redis.call('LRANGE', inbox, first, last)) do
        for length in pairs(lengths) do
            local range = ranges[record:sub(-length)]
            if range and authorAt(record) == #record - length + 1
                and compare(record, ARGV[range]) >= 0 and compare(record, ARGV[range + 1]) < 0 then
                found = found + 1
            end
        end
    end
    return found
end

local header, epoch, hasPending = known(inbox, pendingFollows)
local pending = hasPending and redis.call('HKEYS', pendingFollows) or {}
if not header or header:sub(3, 3) == 'B' then
    return cmsgpack.pack(header or '', '', epoch or '', pending, '0', {})
end
local count = redis.call('LLEN', inbox) - 1
local lowest = math.max(1, count - cap + 1)
local floor = lowest > 1 and redis.call('LINDEX', inbox, lowest) or header:sub(FLOOR)
local first = placeOf(inbox, lowest, count, ARGV[2])
local above = count + 1 - first
if above > 0 and #ARGV > 5 then
    above = above - apart(first, count)
end
local read = {}
if ARGV[5] ~= '' then
    local low = math.max(placeOf(inbox, lowest, first - 1, ARGV[5]), first - limit)
    read = low < first and redis.call('LRANGE', inbox, low, first - 1) or read
end
return cmsgpack.pack(header, floor, epoch, pending, tostring(math.min(limit, above)), read)
