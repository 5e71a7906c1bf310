-- KEYS: for each step the operations of the owner, and the cells.
-- ARGV: for each step the letters, name, ticket, amount.
-- Answers for each step whether the ticket was open.
local function redeem(flags, once, cells, name, ticket, amount)
    local open = isRemembered(once, ticket)
    if redis.call('ZREM', once, ticket) == 0 or not open then
        return '0'
    end
    if amount ~= '' then
        local count, mark = cellOf(cells, name)
        local high, low = wordsOf(count)
        high, low = sum(high, low, wordsOf(amount))
        if fits(high) then
            keepCell(cells, name, bytesOf(high, low), mark)
            renew(flags, cells)
        end
    end
    return '1'
end

local answers = {}
for step = 1, #KEYS / 2 do
    local value = 4 * step
    local ticket = '\1' .. ARGV[value + 2]
    answers[step] = redeem(ARGV[value], KEYS[2 * step - 1], KEYS[2 * step], ARGV[value + 1], ticket, ARGV[value + 3])
end
return answers
