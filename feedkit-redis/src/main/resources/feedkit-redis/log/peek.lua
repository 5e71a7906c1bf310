-- KEYS: for each log: log, fresh, tasks, queue, open, catch-ups, held.
-- ARGV: time, most tasks.
-- Answers for each log with the first fresh tasks, and with the queue keys that have been due longest.
local most = ARGV[2]
local answers = {}
for i = 1, #KEYS, 7 do
    local fresh, queue = KEYS[i + 1], KEYS[i + 3]
    local time = timesOf(headerOf(unpack(KEYS, i, i + 6)))
    local due = redis.call('ZRANGEBYLEX', queue, '-', '(' .. bytesOf(time + 1), 'LIMIT', '0', most)
    answers[#answers + 1] = {redis.call('LRANGE', fresh, '0', most - 1), due}
end
return answers
