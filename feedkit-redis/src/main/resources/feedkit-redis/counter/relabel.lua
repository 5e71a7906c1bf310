-- KEYS: for each step the set.
-- ARGV: for each step the letters, the member, the two parts of the new label.
-- The answers have no meaning.
local answers = {}
while value < #ARGV do
    local flags, set, name, label, text = nextValue(), nextKey(), nextValue(), tonumber(nextValue()), nextValue()
    local member = redis.call('HGET', set, name)
    if member then
        local head, number = partsOf(member)
        keepMember(flags, set, nil, name, nil, label + (head >= 128 and 128 or 0), number, text)
        renew(flags, set)
    end
    answers[#answers + 1] = ''
end
return answers
