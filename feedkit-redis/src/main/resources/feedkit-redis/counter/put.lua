-- KEYS: for each step the set, the order of a conversation, and the cells if the number is the next. For each step in ARGV: letters (n the next number, r another may make room), member, the two parts of the
-- label, the number, up to which number another makes room. Answers for each step the number, or that it was not put.
local function put(flags, set, order, name, head, text)
    local cells = has(flags, 'n') and nextKey() or nil
    local number = not cells and nextValue() or nil
    local upTo = has(flags, 'r') and nextValue() or nil
    local before = redis.call('HGET', set, name)
    if before then
        local oldHead, old, oldText = partsOf(before)
        if not upTo then
            return optional(nil)
        end
        local high, low = wordsOf(old)
        if oldHead % 128 == head and oldText == text and isAbove(high, low, wordsOf(upTo)) then
            return optional(nil)
        end
    end
    if cells then
        local count, mark = cellOf(cells, '')
        local high, low = wordsOf(count)
        number = bytesOf(wrapped(high, low, 0, 1))
        keepCell(cells, '', number, mark)
        renew(flags, cells)
    end
    keepMember(set, order, name, before, head + 128, number, text)
    renew(flags, set)
    return optional(number)
end

local answers = {}
while value < #ARGV do
    local flags, set = nextValue(), nextKey()
    local order = nextOrder(flags)
    answers[#answers + 1] = put(flags, set, order, nextValue(), tonumber(nextValue()), nextValue())
end
return answers
