-- KEYS: inbox, pending follows.
-- ARGV: time, from, below, N (newest first) or O (oldest first), limit, 1 to renew, cap, window, the least renewal.
-- From and below are empty if there is no bound.
-- Answers in MessagePack with the header, the floor, the epoch, the fields of the pending follows, and the entries from
-- the oldest. Header and epoch are empty if there are none.
local inbox, pendingFollows = KEYS[1], KEYS[2]
local from, below, limit, cap = ARGV[2], ARGV[3], tonumber(ARGV[5]), tonumber(ARGV[7])

local function renew(header)
    local window, least = tonumber(ARGV[8]), tonumber(ARGV[9])
    local renewed, ends = timeAt(header, 27), timeAt(header, 33)
    local newEnd = math.min(now + window, FOREVER)
    if now - renewed < least and newEnd - ends < least then
        return
    end
    local times = struct.pack('>I6', math.max(renewed, now)) .. struct.pack('>I6', math.max(ends, newEnd))
    header = header:sub(1, 26) .. times .. header:sub(39)
    -- A server that refuses writes can still be read.
    if redis.pcall('LSET', inbox, 0, header).ok then
        expire(inbox, header)
    end
end

local function records(floor, low, high)
    if from ~= '' and compare(from, floor) > 0 then
        low = placeOf(inbox, low, high, from)
    end
    if below ~= '' and low <= high then
        high = placeOf(inbox, low, high, below) - 1
    end
    if low > high then
        return {}
    end
    if ARGV[4] == 'N' then
        low = math.max(low, high - limit + 1)
    else
        high = math.min(high, low + limit - 1)
    end
    return redis.call('LRANGE', inbox, low, high)
end

local header, epoch, hasPending = known(inbox, pendingFollows)
local pending = hasPending and redis.call('HKEYS', pendingFollows) or {}
if not header or header:sub(3, 3) == 'B' then
    return cmsgpack.pack(header or '', '', epoch or '', pending, {})
end
if ARGV[6] == '1' then
    renew(header)
end
local count = redis.call('LLEN', inbox) - 1
local lowest = math.max(1, count - cap + 1)
local floor = lowest > 1 and redis.call('LINDEX', inbox, lowest) or header:sub(FLOOR)
return cmsgpack.pack(header, floor, epoch, pending, records(floor, lowest, count))
