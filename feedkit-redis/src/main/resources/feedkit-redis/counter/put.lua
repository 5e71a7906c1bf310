-- KEYS: for each step the set, the order of a conversation or of reactions, and the cells if the number is the next
-- one.
-- ARGV: for each step the letters (n the next number, r a member of the same name may be replaced, f also one with a
-- high number), the member, the two parts of the label, the number, and of members with the same label that may be
-- replaced the highest one of the low numbers, and the lowest one of the high numbers.
-- Answers for each step with the number, or with nothing if the member was not put.

-- The labels in the first byte, as in MemberCodec.java.
local LABELS = {[16] = '', [32] = '0+', [48] = '0-', [64] = '0', [80] = '*'}

local function labelOf(head, text)
    return LABELS[head] or text
end

-- The longer label is higher, or else the later one in ASCII. Lua's own order depends on the server's locale.
local function isHigher(label, other)
    if #label ~= #other then
        return #label > #other
    end
    for i = 1, #label do
        local sign, otherSign = label:byte(i), other:byte(i)
        if sign ~= otherSign then
            return sign > otherSign
        end
    end
    return false
end

local function put(flags, set, order, name, head, text)
    local cells = has(flags, 'n') and nextKey() or nil
    local number = not cells and nextValue() or nil
    local upTo = has(flags, 'r') and nextValue() or nil
    local from = has(flags, 'f') and nextValue() or nil
    local before = redis.call('HGET', set, name)
    if before then
        local oldHead, old, oldText = partsOf(before)
        if not upTo then
            return optional(nil)
        end
        local oldLabel, label = labelOf(oldHead % 128, oldText), labelOf(head, text)
        local high, low = wordsOf(old)
        if isHigher(oldLabel, label) then
            return optional(nil)
        end
        if oldLabel == label and isAbove(high, low, wordsOf(upTo)) then
            local fromHigh, fromLow = wordsOf(from or '')
            if not from or isAbove(fromHigh, fromLow, high, low) then
                return optional(nil)
            end
        end
    end
    if cells then
        local count, mark, gaps = cellOf(cells, '')
        local high, low = wordsOf(count)
        number = bytesOf(wrapped(high, low, 0, 1))
        keepCell(cells, '', number, mark, gaps)
        renew(flags, cells)
    end
    keepMember(flags, set, order, name, before, head + 128, number, text)
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
