-- What the scripts have in common that change tasks.
-- A record is: end of the lease, lease, attempts, version, kind, created, cursor, group, body. Of a group there is one task at a time, unless it is empty.

local LEASE, ATTEMPTS, VERSION, KIND, CREATED, CURSOR = 7, 15, 17, 18, 19, 25
local NO_LEASE = string.rep('\0', 14)

local function headOf(found)
    return found:sub(VERSION, CURSOR - 1)
end

local function cursorOf(found)
    return found:sub(CURSOR + 1, CURSOR + found:byte(CURSOR))
end

local function tailOf(found)
    return found:sub(CURSOR + 1 + found:byte(CURSOR))
end

local function groupOf(found)
    local tail = tailOf(found)
    return tail:sub(2, 1 + tail:byte(1))
end

local function attemptsOf(found)
    return found:byte(ATTEMPTS) * 256 + found:byte(ATTEMPTS + 1)
end

local function record(lease, attempts, head, cursor, tail)
    return lease .. struct.pack('>I2', math.min(attempts, 65535)) .. head .. string.char(#cursor) .. cursor .. tail
end

-- Whether a task holds the settled mark back, and is not slow on purpose: push, pull (L), catch-up.
local function isOpen(found)
    local kind = found:byte(KIND)
    return kind == 80 or kind == 76 or kind == 67
end

-- Lets a task wait that is not fresh.
local function letWait(id, found, due)
    redis.call('HSET', TASKS, id, found)
    redis.call('ZADD', QUEUE, '0', bytesOf(due) .. struct.pack('>I8', turn) .. id)
end

-- Takes in a task that is not there, and lets it wait from now on.
local function add(id, head, cursor, tail)
    local found = record(NO_LEASE, 0, head, cursor, tail)
    letWait(id, found, time)
    if isOpen(found) then
        redis.call('ZADD', OPEN, '0', found:sub(CREATED, CURSOR - 1) .. id)
    end
    if head:sub(2, 2) == 'C' then
        redis.call('HINCRBY', CATCH_UPS, groupOf(found), '1')
    end
end
