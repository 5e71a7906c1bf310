-- What the scripts have in common that are about claimed tasks.

local function headOf(record)
    return record:sub(1, LEASED_UNTIL - 1)
end

local function cursorOf(record)
    return record:sub(CURSOR + 1, CURSOR + record:byte(CURSOR))
end

local function tailOf(record)
    return record:sub(CURSOR + 1 + record:byte(CURSOR))
end

local function attemptsOf(record)
    local attempts = struct.unpack('>I2', record, ATTEMPTS)
    return attempts
end

local function record(head, lease, attempts, cursor, tail)
    local count = struct.pack('>I2', math.min(attempts, 65535))
    return head .. lease .. count .. string.char(#cursor) .. cursor .. tail
end

-- A task's record, unless its lease was lost.
local function leased(id, token)
    local found = redis.call('HGET', TASKS, id)
    if found and found:sub(LEASED_UNTIL + 6, ATTEMPTS - 1) == token and timeAt(found, LEASED_UNTIL) > time then
        return found
    end
    return nil
end

-- Takes a leased task out of the queue.
local function unqueue(id, found)
    redis.call('ZREM', QUEUE, found:sub(LEASED_UNTIL, ATTEMPTS - 1) .. id)
end

-- Takes a leased task out of the log.
local function remove(id, found)
    unqueue(id, found)
    redis.call('HDEL', TASKS, id)
    local kind = found:sub(2, 2)
    if isOpen(kind) then
        redis.call('ZREM', OPEN, found:sub(CREATED, LEASED_UNTIL - 1) .. id)
    end
    if kind == 'C' then
        local tail = tailOf(found)
        local group = tail:sub(2, 1 + tail:byte(1))
        if redis.call('HINCRBY', CATCH_UPS, group, '-1') <= 0 then
            redis.call('HDEL', CATCH_UPS, group)
        end
    end
end
