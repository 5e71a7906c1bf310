-- KEYS: for each step the owner's hash, and the set of pending changes of the bucket.
-- ARGV: for each step c for a cell or s for a member, the name, then four values: of a cell the life, the sum, the
-- earlier lives and the mark that were written, of a member the value and three empty ones. Then how long to keep a
-- hash without pending changes, and the item.
-- Answers for each step whether it removed the item from the pending ones.
local function isAs(held, kind, name, first, amount, earlier, mark)
    if kind == 's' then
        return (redis.call('HGET', held, 's' .. name) or '') == first
    end
    return (redis.call('HGET', held, 'i' .. name) or '') == first
        and (redis.call('HGET', held, 'a' .. name) or '0') == amount
        and (redis.call('HGET', held, 'o' .. name) or '') == earlier
        and (redis.call('HGET', held, 'm' .. name) or '') == mark
end

local answers = {}
for step = 1, #KEYS / 2 do
    local held, late = KEYS[2 * step - 1], KEYS[2 * step]
    local first = 8 * step - 6
    answers[step] = '0'
    if isAs(held, unpack(ARGV, first, first + 5)) then
        if ARGV[first] == 'c' then
            redis.call('HDEL', held, 'o' .. ARGV[first + 1])
        end
        -- A hash that is gone must not be counted down. The next one would begin below zero, and expire with a pending
        -- change in it.
        local removed = redis.call('SREM', late, ARGV[first + 7])
        if removed == 1
            and redis.call('EXISTS', held) == 1
            and redis.call('HINCRBY', held, '#', -1) <= 0
        then
            redis.call('PEXPIRE', held, ARGV[first + 6])
        end
        answers[step] = tostring(removed)
    end
end
return answers
