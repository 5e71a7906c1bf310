-- KEYS: for each step what is held of the owner, and what is late in the bucket. For each step in ARGV: c for a cell and s for a member, name, of a cell the life, what was added and the mark that were
-- written, of a member what was written, nothing and nothing, how long what is not late is kept, item. Answers for each step whether it is not late any more.
local function isAs(held, kind, name, first, amount, mark)
    if kind == 's' then
        return (redis.call('HGET', held, 's' .. name) or '') == first
    end
    return (redis.call('HGET', held, 'i' .. name) or '') == first
        and (redis.call('HGET', held, 'a' .. name) or '0') == amount
        and (redis.call('HGET', held, 'm' .. name) or '') == mark
end

local answers = {}
for step = 1, #KEYS / 2 do
    local held, late = KEYS[2 * step - 1], KEYS[2 * step]
    local first = 7 * step - 5
    answers[step] = '0'
    if isAs(held, unpack(ARGV, first, first + 4)) then
        -- Of a hash that is gone nothing is counted: the next one would begin below zero, and expire with something late.
        if redis.call('SREM', late, ARGV[first + 6]) == 1
            and redis.call('EXISTS', held) == 1
            and redis.call('HINCRBY', held, '#', -1) <= 0
        then
            redis.call('PEXPIRE', held, ARGV[first + 5])
        end
        answers[step] = '1'
    end
end
return answers
