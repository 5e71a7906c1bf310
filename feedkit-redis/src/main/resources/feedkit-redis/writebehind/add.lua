-- KEYS: for each step the owner's hash, and the set of pending changes of the bucket.
-- ARGV: for each step the name, the amount, the life if this is the first change, the item.
-- Answers for each step with A, or with O if the sum does not fit.
local answers = {}
for step = 1, #KEYS / 2 do
    local held, late = KEYS[2 * step - 1], KEYS[2 * step]
    local name, amount = ARGV[4 * step - 2], ARGV[4 * step - 1]
    local sum = redis.pcall('HINCRBY', held, 'a' .. name, amount)
    if type(sum) == 'table' then
        if not sum.err:find('overflow', 1, true) then
            return sum
        end
        answers[step] = 'O'
    else
        redis.call('HSETNX', held, 'i' .. name, ARGV[4 * step])
        isLate(held, late, ARGV[4 * step + 1])
        answers[step] = 'A'
    end
end
return answers
