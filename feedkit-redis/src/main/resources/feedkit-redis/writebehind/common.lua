-- The functions that scripts of cached changes share. docs/reference/redis-format.md has the formats.
-- An owner's hash has fields for a cell: i (the life), r (the server's life in which it began), n (the number of
-- claims), a (the sum of the adds), o (earlier lives that may not be written: life, claims and sum of each) and m (the
-- mark). It has the field s for a member. Each letter stands before the name. The field # is the number of pending
-- changes. The field @ is a fence: the time until which the owner may still be in the source although it is being
-- forgotten (0 when that has ended), and a token. Values that were computed before the fence are refused.

-- The most earlier lives of a cell. The oldest ones are dropped. CounterSource.java has a higher number for the source.
local MOST_LIVES = 100

-- Ends the forgetting of an owner, although it is not known whether the source has forgotten the owner. Marks may have
-- been raised to values that the source no longer has, so they are dropped.
local function endForgetting(held, fence)
    for _, field in ipairs(redis.call('HKEYS', held)) do
        if field:sub(1, 1) == 'm' then
            redis.call('HDEL', held, field)
        end
    end
    redis.call('HSET', held, '@', '0' .. fence:match(' .*'))
end

-- Whether an owner is being forgotten. If the process that forgets the owner has ended, the forgetting ends here after
-- its time.
local function isBeingForgotten(held)
    local fence = redis.call('HGET', held, '@')
    local till = fence and tonumber(fence:match('^%d+')) or 0
    if till > 0 and till <= now then
        endForgetting(held, fence)
    end
    return till > now
end

-- The life of this server: a master has a replication id, and gets another one when it is promoted or restarted. Then
-- it may lack acknowledged changes. Empty if the user of the server may not run INFO.
local function serverLife()
    local info = redis.pcall('INFO', 'replication')
    return type(info) == 'string' and info:match('master_replid:(%w+)') or ''
end

-- Begins a life of a cell. The one before it stays among the earlier ones if anything was added in it.
local function begin(held, name, life, server)
    local before, sum = redis.call('HGET', held, 'i' .. name), redis.call('HGET', held, 'a' .. name)
    if before and sum then
        local earlier = redis.call('HGET', held, 'o' .. name)
        local claims = redis.call('HGET', held, 'n' .. name) or '0'
        earlier = (earlier and earlier .. ';' or '') .. before .. ' ' .. claims .. ' ' .. sum
        local _, others = earlier:gsub(';', ';')
        if others >= MOST_LIVES then
            earlier = earlier:match(';(.*)')
        end
        redis.call('HSET', held, 'o' .. name, earlier)
    end
    redis.call('HDEL', held, 'n' .. name, 'a' .. name)
    redis.call('HSET', held, 'i' .. name, life, 'r' .. name, server)
end

-- Records that an item has to be written.
local function isLate(held, late, item)
    if redis.call('SADD', late, item) == 1 then
        redis.call('HINCRBY', held, '#', 1)
        redis.call('PERSIST', held)
    end
end
