-- Functions shared by the scripts that change tasks.
-- A record is: end of the lease, lease, attempts, outage (failures, since), version, kind, creation, cursor, group,
-- body. Only one task of a group may exist at a time, unless the group is empty. A task that is lent has the end and
-- the token of its loan in place of a lease. The tokens of leases are even, those of loans are odd.

local LEASE, ATTEMPTS, OUTAGE, VERSION, KIND, CREATED, CURSOR = 7, 15, 17, 25, 26, 27, 33
local NO_LEASE = string.rep('\0', 14)
local NO_OUTAGE = string.rep('\0', 8)

-- Whether a record, or the beginning of one, has a loan, which may have run out.
local function hasLoan(found)
    return found:byte(ATTEMPTS - 1) % 2 == 1
end

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

local function outageOf(found)
    return found:sub(OUTAGE, VERSION - 1)
end

-- The outage after a step that records a cursor: a cursor that moves ends it, unless it skips readers.
local function outageAt(found, cursor)
    local goesOn = cursor == cursorOf(found) or string.find(cursor, ' ', 1, true)
    return goesOn and outageOf(found) or NO_OUTAGE
end

local function record(lease, attempts, outage, head, cursor, tail)
    return lease .. struct.pack('>I2', math.min(attempts, 65535)) .. outage .. head .. string.char(#cursor) .. cursor
        .. tail
end

-- Rank 0: a push (P) or a pull (L) whose post is not visible yet. Rank 1: tasks whose post is visible. A small letter
-- marks a task that was restarted. The posts of a catch-up (C) are pulled, and so visible. The tasks of imported posts
-- (I, and M for a pull) do not count as invisible.
local RANKS = {P = '0', L = '0', p = '1', l = '1', C = '1', I = '1', M = '1'}

-- The member of a task that holds the settled mark back. A task that is slow on purpose has none.
local function openOf(found, id)
    local rank = RANKS[found:sub(KIND, KIND)]
    return rank and rank .. found:sub(CREATED, CURSOR - 1) .. id
end

-- The head of a task whose post was delivered before, or whose author is pulled.
local function headAgain(head)
    local kind = head:sub(2, 2)
    return RANKS[kind] == '0' and head:sub(1, 1) .. kind:lower() .. head:sub(3) or head
end

-- Puts a task that is not fresh into the queue.
local function letWait(id, found, due)
    local place = bytesOf(due) .. struct.pack('>I8', turn) .. id
    redis.call('HSET', TASKS, id, found)
    redis.call('ZADD', QUEUE, '0', place)
    if due > time then
        redis.call('ZADD', HELD, '0', place)
    end
end

-- Adds a task that is not in the log. It is due at once.
local function add(id, head, cursor, tail)
    local found = record(NO_LEASE, 0, NO_OUTAGE, head, cursor, tail)
    letWait(id, found, time)
    local open = openOf(found, id)
    if open then
        redis.call('ZADD', OPEN, '0', open)
    end
    if head:sub(2, 2) == 'C' then
        redis.call('HINCRBY', CATCH_UPS, groupOf(found), '1')
    end
end

-- Records a new task that is not to be among the fresh ones. It is due at once.
local function addNew(kind, tail)
    local id = nextId()
    add(id, '\1' .. kind .. bytesOf(time), '', tail)
end
