-- KEYS: for each step the owner's hash, and the set of pending changes of the bucket.
-- ARGV: for each step m for a mark or s for a member, the name, the expected value, the new value, the life, the item.
-- Answers for each step whether the expected value was there; an empty value means none.
local answers = {}
for step = 1, #KEYS / 2 do
    local held, late = KEYS[2 * step - 1], KEYS[2 * step]
    local kind, name = ARGV[6 * step - 4], ARGV[6 * step - 3]
    if (redis.call('HGET', held, kind .. name) or '') == ARGV[6 * step - 2] then
        redis.call('HSET', held, kind .. name, ARGV[6 * step - 1])
        if kind == 'm' then
            redis.call('HSETNX', held, 'i' .. name, ARGV[6 * step])
        end
        isLate(held, late, ARGV[6 * step + 1])
        answers[step] = '1'
    else
        answers[step] = '0'
    end
end
return answers
