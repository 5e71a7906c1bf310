-- ARGV: time, lease, token, places in the queue. Answers for each place the record, or nothing if the task is somewhere else by now.
local ends = bytesOf(time + tonumber(ARGV[2]))
local lease = ends .. ARGV[3]
local answers = {}
for i = 4, #ARGV do
    local place = ARGV[i]
    local id = place:sub(15)
    local found = redis.call('ZREM', QUEUE, place) == 1 and redis.call('HGET', TASKS, id)
    if found then
        local abandoned = found:sub(LEASED_UNTIL, ATTEMPTS - 1) ~= NO_LEASE
        local attempts = attemptsOf(found) + (abandoned and 1 or 0)
        found = record(headOf(found), lease, attempts, cursorOf(found), tailOf(found))
        redis.call('HSET', TASKS, id, found)
        redis.call('ZADD', QUEUE, '0', lease .. id)
    end
    answers[i - 3] = found or ''
end
return answers
