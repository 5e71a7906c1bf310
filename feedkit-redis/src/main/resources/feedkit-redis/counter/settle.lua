-- KEYS: for each step the set, and the order of a conversation or of reactions.
-- ARGV: for each step the letters (x to remove the member), the member, the ticket, and unless the member is removed
-- the two parts of its new label.
-- The answers have no meaning.
local function settle(flags, set, order, name, ticket)
    local head, text
    if not has(flags, 'x') then
        head, text = tonumber(nextValue()), nextValue()
    end
    local member = redis.call('HGET', set, name)
    if not member then
        return ''
    end
    local _, number = partsOf(member)
    if number ~= ticket then
        return ''
    end
    if head then
        redis.call('HSET', set, name, string.char(head + 128 + #number) .. number .. text)
    else
        removeMember(flags, set, order, name, member)
    end
    renew(flags, set)
    return ''
end

local answers = {}
while value < #ARGV do
    local flags, set = nextValue(), nextKey()
    local order = nextOrder(flags)
    answers[#answers + 1] = settle(flags, set, order, nextValue(), nextValue())
end
return answers
