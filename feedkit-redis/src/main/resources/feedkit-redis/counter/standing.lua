-- KEYS: for each mark the cells, and the order of a conversation or the set of another owner.
-- ARGV: for each mark the letters and the name.
-- Answers for each mark with the values of the sequence and of the mark's cell, and with the number of members above
-- the mark.
local function above(flags, members, mark)
    local high, low = wordsOf(mark)
    if has(flags, 'c') then
        return redis.call('ZLEXCOUNT', members, '(' .. placeOf(flags, mark, '\255'), '+')
    end
    local count = 0
    for _, member in ipairs(redis.call('HVALS', members)) do
        local _, number = partsOf(member)
        local memberHigh, memberLow = wordsOf(number)
        if isAbove(memberHigh, memberLow, high, low) then
            count = count + 1
        end
    end
    return count
end

local answers = {}
for mark = 1, #KEYS / 2 do
    local cells, members = KEYS[2 * mark - 1], KEYS[2 * mark]
    local flags, name = ARGV[2 + 2 * mark], ARGV[3 + 2 * mark]
    local found = redis.call('HMGET', cells, '', name)
    local _, at = cellOf(cells, name)
    local count = at and above(flags, members, at) or 0
    answers[mark] = { found[1] or '', found[2] or '', count }
end
return answers
