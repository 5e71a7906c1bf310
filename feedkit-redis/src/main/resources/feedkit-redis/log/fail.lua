-- ARGV: time, then of each claim: id, token, delay. Answers 1 or 0 for each.
local answers = {}
for i = 2, #ARGV, 3 do
    local id = ARGV[i]
    local found = leased(id, ARGV[i + 1])
    if found then
        unqueue(id, found)
        local failed = record(headOf(found), NO_LEASE, attemptsOf(found) + 1, cursorOf(found), tailOf(found))
        redis.call('HSET', TASKS, id, failed)
        letWait(id, time + tonumber(ARGV[i + 2]))
    end
    answers[#answers + 1] = found and '1' or '0'
end
return table.concat(answers)
