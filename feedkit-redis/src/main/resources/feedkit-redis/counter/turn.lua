-- KEYS: for each step the set, and the order of a conversation or of reactions.
-- ARGV: for each step the letters (f if the member must have a certain label), the member, the ticket, the two parts of
-- the new label, the two parts of the label that the member must have.
-- Answers for each step with the value of the member afterwards, or with nothing.
local function turn(flags, set, order, name, ticket, head, text)
    local fromHead, fromText
    if has(flags, 'f') then
        fromHead, fromText = tonumber(nextValue()), nextValue()
    end
    local before = redis.call('HGET', set, name)
    if before then
        local oldHead, _, oldText = partsOf(before)
        if not fromHead or oldHead ~= fromHead + 128 or oldText ~= fromText then
            return before
        end
    elseif fromHead then
        return ''
    end
    local turned = keepMember(flags, set, order, name, before, head, ticket, text)
    renew(flags, set)
    return turned
end

local answers = {}
while value < #ARGV do
    local flags, set = nextValue(), nextKey()
    local order = nextOrder(flags)
    answers[#answers + 1] = turn(flags, set, order, nextValue(), nextValue(), tonumber(nextValue()), nextValue())
end
return answers
