-- KEYS: for each step the cells, and with an operation the operations of the owner.
-- ARGV: for each step the letters (o with an operation, m with a mark), name, amount, the operation, the name of the
-- mark.
-- Answers for each step with a letter (A added, R repeated, U unmarked, O overflow) and the count.
local function add(flags, cells, name, amount, once, operation, marked)
    local count, mark = cellOf(cells, name)
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
    keepCell(cells, name, added, mark)
    if marked then
        local other, there = cellOf(cells, marked)
        if isAbove(high, low, wordsOf(there)) then
            keepCell(cells, marked, other, added)
        end
    end
    renew(flags, cells)
    if once then
        remember(once, operation)
    end
    return 'A' .. added
end

local answers = {}
local key, value = 0, 4
while value <= #ARGV do
    local flags, name, amount = ARGV[value], ARGV[value + 1], ARGV[value + 2]
    local cells, once, operation, marked = KEYS[key + 1], nil, nil, nil
    key, value = key + 1, value + 3
    if flags ~= 'e' and has(flags, 'o') then
        once, operation = KEYS[key + 1], name .. ' ' .. ARGV[value]
        key, value = key + 1, value + 1
    end
    if flags ~= 'e' and has(flags, 'm') then
        marked = ARGV[value]
        value = value + 1
    end
    answers[#answers + 1] = add(flags, cells, name, amount, once, operation, marked)
end
return answers
