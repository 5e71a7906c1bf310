-- KEYS: for each step the owner's hash, and the set of pending changes of the bucket.
-- ARGV: for each step m for a mark or s for a member, the name, the expected value, the new value, the life, the item,
-- the expected fence.
-- Answers for each step whether the expected value and fence were there; an empty value means none.
local answers = {}
local server = serverLife()
for step = 1, #KEYS / 2 do
    local held, late = KEYS[2 * step - 1], KEYS[2 * step]
    local kind, name = ARGV[7 * step - 5], ARGV[7 * step - 4]
    -- The end of a forgetting changes the fence.
    isBeingForgotten(held)
    if (redis.call('HGET', held, kind .. name) or '') == ARGV[7 * step - 3]
        and (redis.call('HGET', held, '@') or '') == ARGV[7 * step + 1]
    then
        redis.call('HSET', held, kind .. name, ARGV[7 * step - 2])
        if kind == 'm' and redis.call('HEXISTS', held, 'i' .. name) == 0 then
            begin(held, name, ARGV[7 * step - 1], server)
        end
        isLate(held, late, ARGV[7 * step])
        answers[step] = '1'
    else
        answers[step] = '0'
    end
end
return answers
