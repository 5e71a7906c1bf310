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

-- A push and a pull (L) whose post does not show yet, and those whose post does: a small letter says that they are done again, a catch-up is of posts that are pulled.
local RANKS = {P = '0', L = '0', p = '1', l = '1', C = '1'}

-- The member of a task that holds the settled mark back; those that are slow on purpose have none.
local function openOf(found, id)
    local rank = RANKS[found:sub(KIND, KIND)]
    return rank and rank .. found:sub(CREATED, CURSOR - 1) .. id
end

-- The head of a task whose post has been delivered before, or whose author is pulled.
local function headAgain(head)
    local kind = head:sub(2, 2)
    return RANKS[kind] == '0' and head:sub(1, 1) .. kind:lower() .. head:sub(3) or head
end

-- Lets a task wait that is not fresh.
local function letWait(id, found, due)
    local place = bytesOf(due) .. struct.pack('>I8', turn) .. id
    redis.call('HSET', TASKS, id, found)
    redis.call('ZADD', QUEUE, '0', place)
    if due > time then
        redis.call('ZADD', HELD, '0', place)
    end
end

-- Takes in a task that is not there, and lets it wait from now on.
local function add(id, head, cursor, tail)
    local found = record(NO_LEASE, 0, head, cursor, tail)
    letWait(id, found, time)
    local open = openOf(found, id)
    if open then
        redis.call('ZADD', OPEN, '0', open)
    end
    if head:sub(2, 2) == 'C' then
        redis.call('HINCRBY', CATCH_UPS, groupOf(found), '1')
    end
end

-- Records a task that is not to be among the fresh ones, and lets it wait from now on.
local function addNew(kind, tail)
    local id = nextId()
    add(id, '\1' .. kind .. bytesOf(time), '', tail)
end
