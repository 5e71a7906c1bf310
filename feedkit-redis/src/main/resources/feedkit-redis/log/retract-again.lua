-- ARGV: time, id, token, delay. Answers 1 or 0.
local id = ARGV[2]
local found = leased(id, ARGV[3])
if not found then
    return 0
end
unqueue(id, found)
local head = found:sub(1, 1) .. 'S' .. found:sub(CREATED, LEASED_UNTIL - 1)
redis.call('HSET', TASKS, id, record(head, NO_LEASE, 0, '', tailOf(found)))
letWait(id, time + tonumber(ARGV[4]))
return 1
