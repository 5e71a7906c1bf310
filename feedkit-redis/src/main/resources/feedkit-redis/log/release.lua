-- ARGV: time, then for each claim: id, token, delay, cursor. Answers with 1 or 0 for each.
local answers = {}
for i = 2, #ARGV, 4 do
    local id = ARGV[i]
    local found = leased(id, ARGV[i + 1])
    if found then
        unqueue(id, found)
        local cursor = ARGV[i + 3]
        found = record(NO_LEASE, 0, outageAt(found, cursor), headOf(found), cursor, tailOf(found))
        letWait(id, found, time + tonumber(ARGV[i + 2]))
    end
    answers[#answers + 1] = found and '1' or '0'
end
keepHeader()
return table.concat(answers)
