-- KEYS: inboxes.
-- ARGV: time, stored, cap, then for each delivery: the entry, "seen since", and the number of its inboxes.
-- Answers with a letter for each inbox: A added, P present, F below the floor, N not live.
local stored, cap = tonumber(ARGV[2]), tonumber(ARGV[3])
local call = redis.call
local NEAR = 8
local record, time, seenSince

local function refuses(inbox)
    local header = opened(inbox)
    return not header or (header:byte(3) == 76 and timeAt(header, 27) < seenSince)
end

-- Trims to the cap. Returns the new floor.
local function trim(inbox)
    local floor = call('LINDEX', inbox, -cap)
    local header = call('LPOP', inbox)
    call('LTRIM', inbox, -cap, -1)
    call('LPUSH', inbox, header:sub(1, FLOOR - 1) .. floor)
    return floor
end

-- Most late posts are only a little late. Inserts the entry among the newest few if one of them is below it. Returns
-- the outcome, or nil if none of them is.
local function insertNear(inbox)
    local newest = call('LRANGE', inbox, -NEAR, -1)
    for i = #newest, 1, -1 do
        local order = compare(record, newest[i])
        if order == 0 then
            return 'P'
        end
        if order > 0 then
            if newest[i]:byte(1) == 255 then
                return nil
            end
            call('LTRIM', inbox, 0, i - #newest - 1)
            if call('RPUSH', inbox, record, unpack(newest, i + 1)) - 1 > stored then
                trim(inbox)
            end
            return 'A'
        end
    end
    return nil
end

-- Inserts the entry where it belongs among entries above it. Returns the number of entries, or nil if the inbox has the
-- entry already.
local function insertFar(inbox)
    local newest = call('LLEN', inbox) - 1
    local pivot = call('LINDEX', inbox, placeOf(inbox, 1, newest - 1, record))
    if pivot == record then
        return nil
    end
    return call('LINSERT', inbox, 'BEFORE', pivot, record) - 1
end

-- Delivers an entry that is not the newest, or to an inbox without entries, or to a key that is no inbox.
local function deliverLate(inbox, last)
    local header = opened(inbox)
    if not header then
        return 'N'
    end
    local order = last == header and 1 or compare(record, last)
    if order == 0 then
        return 'P'
    end
    if (last == header or order < 0) and compare(record, header:sub(FLOOR)) < 0 then
        return 'F'
    end
    local count
    if order > 0 then
        count = call('RPUSH', inbox, record) - 1
    else
        count = insertFar(inbox)
        if not count then
            return 'P'
        end
    end
    if count > stored and compare(record, trim(inbox)) < 0 then
        return 'F'
    end
    return 'A'
end

-- Whether the entry is above the last element. A header is not an entry; as a time, its first bytes are later than any
-- entry.
local function isAbove(last)
    if #last <= 6 then
        return false
    end
    local its = timeAt(last, 1)
    return its < time or (its == time and compare(record, last) > 0)
end

local function deliver(inbox, mustLook)
    local last = call('LINDEX', inbox, -1)
    if not last or (mustLook and refuses(inbox)) then
        return 'N'
    end
    if not isAbove(last) then
        return insertNear(inbox) or deliverLate(inbox, last)
    end
    if call('RPUSH', inbox, record) - 1 > stored then
        trim(inbox)
    end
    return 'A'
end

local outcomes = {}
for i = 4, #ARGV, 3 do
    record, seenSince = ARGV[i], tonumber(ARGV[i + 1])
    time = timeAt(record, 1)
    -- The server itself removes an inbox whose window has ended. With a test's clock, or a delivery to active readers
    -- alone, the script has to look at the header first.
    local mustLook = ARGV[1] ~= '' or seenSince > 0
    for place = #outcomes + 1, #outcomes + tonumber(ARGV[i + 2]) do
        outcomes[place] = deliver(KEYS[place], mustLook)
    end
end
return table.concat(outcomes)
