-- Functions shared by the scripts about claimed and lent tasks.

-- Whether a record is leased or lent under this token, and the lease or loan has not ended.
local function isUnder(found, token)
    return found and found:sub(LEASE, ATTEMPTS - 1) == token and timeAt(found, 1) > time
end

-- Whether a record is leased under this token, and the lease was not lost.
local function holds(found, token)
    return isUnder(found, token) and not hasLoan(found)
end

-- Whether a record is lent under this token, and the loan has not ended.
local function borrows(found, token)
    return isUnder(found, token) and hasLoan(found)
end

-- A task's record, unless its lease was lost.
local function leased(id, token)
    local found = redis.call('HGET', TASKS, id)
    return holds(found, token) and found or nil
end

-- Removes a leased or lent task from the queue.
local function unqueue(id, found)
    redis.call('ZREM', QUEUE, found:sub(1, ATTEMPTS - 1) .. id)
end

-- Removes leased tasks from the log. A server whose memory is full executes the first command, and then the others.
local function remove(ids, records)
    local places, open, groups = {}, {}, {}
    for i, found in ipairs(records) do
        local id = ids[i]
        places[i] = found:sub(1, ATTEMPTS - 1) .. id
        open[#open + 1] = openOf(found, id)
        if found:sub(KIND, KIND) == 'C' then
            groups[#groups + 1] = groupOf(found)
        end
    end
    redis.call('ZREM', QUEUE, unpack(places))
    redis.call('HDEL', TASKS, unpack(ids))
    if #open > 0 then
        redis.call('ZREM', OPEN, unpack(open))
    end
    for _, group in ipairs(groups) do
        if redis.call('HINCRBY', CATCH_UPS, group, '-1') <= 0 then
            redis.call('HDEL', CATCH_UPS, group)
        end
    end
end
