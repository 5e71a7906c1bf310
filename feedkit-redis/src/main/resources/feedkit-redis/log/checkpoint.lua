-- ARGV: time, lease, then for each claim: id, token, cursor. Answers with 1 or 0 for each.
local ends = bytesOf(time + tonumber(ARGV[2]))
local answers = {}
for i = 3, #ARGV, 3 do
    local id, token = ARGV[i], ARGV[i + 1]
    local found = leased(id, token)
    if found then
        unqueue(id, found)
        local cursor = ARGV[i + 2]
        local anew = record(ends .. token, 0, outageAt(found, cursor), headOf(found), cursor, tailOf(found))
        redis.call('HSET', TASKS, id, anew)
        redis.call('ZADD', QUEUE, '0', ends .. token .. id)
    end
    answers[#answers + 1] = found and '1' or '0'
end
return table.concat(answers)
