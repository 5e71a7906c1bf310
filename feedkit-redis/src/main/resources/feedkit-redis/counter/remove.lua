-- KEYS: for each step the set, and the order of a conversation or of reactions.
-- ARGV: for each step the letters and the member.
-- Answers for each step whether the member existed.
local answers = {}
while value < #ARGV do
    local flags, set = nextValue(), nextKey()
    local order, name = nextOrder(flags), nextValue()
    local member = redis.call('HGET', set, name)
    if member then
        removeMember(flags, set, order, name, member)
        renew(flags, set)
    end
    answers[#answers + 1] = member and '1' or '0'
end
return answers
