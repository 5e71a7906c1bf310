-- KEYS: for each step the owner's hash, and the set of pending changes of the bucket.
-- ARGV: for each step the name, the amount, the life if a new one begins, the item.
-- Answers for each step with A, or with O if the sum does not fit.
-- If the cell's life began in another life of the server, its sum may be an outdated copy that was partly written. So
-- nothing is added to it, and a new life begins.
local answers = {}
local server = serverLife()
for step = 1, #KEYS / 2 do
    local held, late = KEYS[2 * step - 1], KEYS[2 * step]
    local name, amount = ARGV[4 * step - 2], ARGV[4 * step - 1]
    if (redis.call('HGET', held, 'r' .. name) or '-') ~= server then
        begin(held, name, ARGV[4 * step], server)
    end
    local sum = redis.pcall('HINCRBY', held, 'a' .. name, amount)
    if type(sum) == 'table' then
        if not sum.err:find('overflow', 1, true) then
            return sum
        end
        answers[step] = 'O'
    else
        isLate(held, late, ARGV[4 * step + 1])
        answers[step] = 'A'
    end
end
return answers
