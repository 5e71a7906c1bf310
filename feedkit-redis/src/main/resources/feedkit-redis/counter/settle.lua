-- KEYS: for each step the set, and the order of a conversation.
-- ARGV: for each step the letters (x to remove the member), the member, the ticket.
-- The answers have no meaning.
local function settle(flags, set, order, name, ticket)
    local member = redis.call('HGET', set, name)
    if not member then
        return ''
    end
    local head, number = partsOf(member)
    if number ~= ticket then
        return ''
    end
    if has(flags, 'x') then
        removeMember(set, order, name, member)
    elseif head < 128 then
        redis.call('HSET', set, name, string.char(member:byte() + 128) .. member:sub(2))
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
