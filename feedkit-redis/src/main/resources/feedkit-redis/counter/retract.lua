-- KEYS: for each step the cells, the operations of the owner, and the amounts that they added.
-- ARGV: for each step the letters, name, and operation.
-- The answers have no meaning.
local function retract(flags, cells, once, taken, name, operation)
    if not isRemembered(once, operation) then
        remember(once, operation, taken)
        redis.call('HDEL', taken, operation)
        return
    end
    local added = redis.call('HGET', taken, operation)
    if not added then
        return
    end
    redis.call('HDEL', taken, operation)
    local last, amount = gapAt(added, 1)
    local count, mark, gaps = cellOf(cells, name)
    local high, low = wordsOf(last)
    local amountHigh, amountLow = wordsOf(amount)
    local countHigh, countLow = wordsOf(count)
    if isAbove(amountHigh, amountLow, 0, 0)
        and not isAbove(high, low, countHigh, countLow)
        and isAbove(high, low, wordsOf(mark or ''))
    then
        keepCell(cells, name, count, mark, withGap(gaps, last, amount))
        renew(flags, cells)
    end
end

local answers = {}
for step = 1, #KEYS / 3 do
    local name = ARGV[2 + 3 * step]
    local operation = name .. ' ' .. ARGV[3 + 3 * step]
    retract(ARGV[1 + 3 * step], KEYS[3 * step - 2], KEYS[3 * step - 1], KEYS[3 * step], name, operation)
    answers[step] = ''
end
return answers
