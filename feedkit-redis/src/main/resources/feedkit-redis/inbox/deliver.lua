-- KEYS: inboxes. ARGV: time, seen since, stored, cap, record. Answers a letter for each inbox: Added, Present, below the Floor, Not live.
local seenSince, stored, cap, record = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]

-- Puts the record where it belongs among others above it. The count of entries, or nil if it is there already.
local function insertLate(inbox)
    local newest = redis.call('LLEN', inbox) - 1
    local above = redis.call('LINDEX', inbox, placeOf(inbox, 1, newest - 1, record))
    if above == record then
        return nil
    end
    return redis.call('LINSERT', inbox, 'BEFORE', above, record) - 1
end

-- Trims to the cap. The floor that this raises.
local function trim(inbox, header)
    local floor = redis.call('LINDEX', inbox, -cap)
    redis.call('LPOP', inbox)
    redis.call('LTRIM', inbox, -cap, -1)
    redis.call('LPUSH', inbox, header:sub(1, FLOOR - 1) .. floor)
    return floor
end

local function deliver(inbox)
    local header = opened(inbox)
    if not header or (header:sub(3, 3) == 'L' and timeAt(header, 27) < seenSince) then
        return 'N'
    end
    local last = redis.call('LINDEX', inbox, -1)
    local order = last == header and 1 or compare(record, last)
    if order == 0 then
        return 'P'
    end
    if (last == header or order < 0) and compare(record, header:sub(FLOOR)) < 0 then
        return 'F'
    end
    local count
    if order > 0 then
        count = redis.call('RPUSH', inbox, record) - 1
    else
        count = insertLate(inbox)
        if not count then
            return 'P'
        end
    end
    if count > stored and compare(record, trim(inbox, header)) < 0 then
        return 'F'
    end
    return 'A'
end

local outcomes = {}
for i, inbox in ipairs(KEYS) do
    outcomes[i] = deliver(inbox)
end
return table.concat(outcomes)
