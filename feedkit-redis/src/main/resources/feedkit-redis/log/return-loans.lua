-- ARGV: time, then for each loan: id, token. Answers with 1 or 0 for each.
local answers = {}
for i = 2, #ARGV, 2 do
    local id = ARGV[i]
    local found = redis.call('HGET', TASKS, id)
    local ours = borrows(found, ARGV[i + 1])
    if ours then
        unqueue(id, found)
        redis.call('ZREM', LENT, found:sub(1, ATTEMPTS - 1) .. id)
        letWait(id, NO_LEASE .. found:sub(ATTEMPTS), time)
    end
    answers[#answers + 1] = ours and '1' or '0'
end
keepHeader()
return table.concat(answers)
