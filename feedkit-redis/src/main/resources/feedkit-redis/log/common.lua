-- What the scripts of the log have in common. KEYS begin with: log, tasks, queue, open, catch-ups.
-- A record is: version, kind, created, end of the lease, lease, attempts, cursor, group, body. The last but one is what no other may have, or empty.

local LOG, TASKS, QUEUE, OPEN, CATCH_UPS = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local CREATED, LEASED_UNTIL, ATTEMPTS, CURSOR = 3, 9, 23, 25
local NO_LEASE = string.rep('\0', 14)

local header = redis.pcall('GET', LOG)
if header and (type(header) ~= 'string' or header:byte(1) ~= 1 or #header ~= 13) then
    error('FEEDKITFORMAT not a log of version 1: ' .. LOG)
end
-- The log's own time: the clock's, unless that was set back.
local time = header and math.max(now, timeAt(header, 2)) or now
local counted = header and timeAt(header, 8) or 0
local turn = struct.pack('>I8', micros)

local function bytesOf(millis)
    return struct.pack('>I6', math.min(millis, FOREVER))
end

local function keepHeader()
    redis.call('SET', LOG, '\1' .. bytesOf(time) .. bytesOf(counted))
end

local function newId()
    counted = counted + 1
    return LOG:sub(-6, -6) .. string.format('%012x', counted)
end

-- The tasks that are not slow on purpose: push, pull (L), catch-up.
local function isOpen(kind)
    return kind == 'P' or kind == 'L' or kind == 'C'
end

local function letWait(id, due)
    redis.call('ZADD', QUEUE, '0', bytesOf(due) .. turn .. id)
end

-- Takes in a task that is not there, without a lease. Its head is version, kind and creation; its tail is group and body.
local function add(id, head, cursor, tail)
    redis.call('HSET', TASKS, id, head .. NO_LEASE .. '\0\0' .. string.char(#cursor) .. cursor .. tail)
    letWait(id, time)
    local kind = head:sub(2, 2)
    if isOpen(kind) then
        redis.call('ZADD', OPEN, '0', head:sub(CREATED) .. id)
    end
    if kind == 'C' then
        redis.call('HINCRBY', CATCH_UPS, tail:sub(2, 1 + tail:byte(1)), '1')
    end
end
