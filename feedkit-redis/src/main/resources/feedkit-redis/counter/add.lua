-- KEYS: for each step the cells, with an operation the operations of the owner, and the amounts that they added if they
-- can be retracted.
-- ARGV: for each step the letters (o with an operation, t if it can be retracted, m with a mark), name, amount, the
-- operation, the name of the mark.
-- Answers for each step with a letter (A added, R repeated, U unmarked, O overflow) and the count.
local function add(flags, cells, name, amount, once, taken, operation, marked)
    local count, mark, gaps = cellOf(cells, name)
    if once and isRemembered(once, operation) then
        return 'R' .. count
    end
    if marked then
        local _, there = cellOf(cells, marked)
        if not there then
            return 'U' .. count
        end
    end
    local high, low = wordsOf(count)
    high, low = sum(high, low, wordsOf(amount))
    if not fits(high) then
        return 'O' .. count
    end
    local added = bytesOf(high, low)
    if taken and count == '' then
        forgetAdded(taken, name)
    end
    keepCell(cells, name, added, mark, gaps)
    if marked then
        local other, there, otherGaps = cellOf(cells, marked)
        if isAbove(high, low, wordsOf(there)) then
            keepCell(cells, marked, other, added, gapsAbove(otherGaps, high, low))
        end
    end
    renew(flags, cells)
    if once then
        remember(once, operation, taken)
        if taken then
            redis.call('HSET', taken, operation, gapOf(added, amount))
            keepAtLeast(taken, kept)
        end
    end
    return 'A' .. added
end

local answers = {}
local key, value = 0, 4
while value <= #ARGV do
    local flags, name, amount = ARGV[value], ARGV[value + 1], ARGV[value + 2]
    local cells, once, taken, operation, marked = KEYS[key + 1], nil, nil, nil, nil
    key, value = key + 1, value + 3
    if flags ~= 'e' and has(flags, 'o') then
        once, operation = KEYS[key + 1], name .. ' ' .. ARGV[value]
        key, value = key + 1, value + 1
        if has(flags, 't') then
            key = key + 1
            taken = KEYS[key]
        end
    end
    if flags ~= 'e' and has(flags, 'm') then
        marked = ARGV[value]
        value = value + 1
    end
    answers[#answers + 1] = add(flags, cells, name, amount, once, taken, operation, marked)
end
return answers
