-- KEYS: for each step the cells.
-- ARGV: for each step the letters (p only if the mark exists, a only if it does not, b with a bound), name, the least
-- new mark, the amount to add, the name of the bound.
-- Answers for each step with the mark before and after.
local function raise(flags, cells, name, to, by, bound)
    local count, mark, gaps = cellOf(cells, name)
    if has(flags, mark and 'a' or 'p') then
        if mark then
            renew(flags, cells)
        end
        return optional(mark) .. optional(mark)
    end
    local beforeHigh, beforeLow = wordsOf(mark or '')
    local high, low = wordsOf(to)
    if isAbove(beforeHigh, beforeLow, high, low) then
        high, low = beforeHigh, beforeLow
    end
    high, low = sum(high, low, wordsOf(by))
    local mostHigh, mostLow = HALF - 1, WORD - 1
    if has(flags, 'b') then
        mostHigh, mostLow = wordsOf((cellOf(cells, bound)))
        if not mark and not has(flags, 'a') and not isAbove(mostHigh, mostLow, 0, 0) then
            return optional(mark) .. optional(mark)
        end
    end
    if isAbove(high, low, mostHigh, mostLow) then
        high, low = mostHigh, mostLow
    end
    if isAbove(beforeHigh, beforeLow, high, low) then
        high, low = beforeHigh, beforeLow
    end
    local raised = bytesOf(high, low)
    if raised ~= mark then
        keepCell(cells, name, count, raised, gapsAbove(gaps, high, low))
    end
    renew(flags, cells)
    return optional(mark) .. optional(raised)
end

local answers = {}
local key, value = 0, 4
while value <= #ARGV do
    key = key + 1
    local flags = ARGV[value]
    answers[key] = raise(flags, KEYS[key], ARGV[value + 1], ARGV[value + 2], ARGV[value + 3], ARGV[value + 4])
    value = value + (has(flags, 'b') and 5 or 4)
end
return answers
