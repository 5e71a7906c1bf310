-- KEYS: for each log: log, fresh, tasks, queue, open, catch-ups, held, lent.
-- ARGV: time, most tasks, 1 to count the running loans.
-- Answers for each log with the first fresh tasks, with the queue keys that have been due longest, and with the number
-- of running loans, or 0 if they are not to be counted.
local most = ARGV[2]
local answers = {}
for i = 1, #KEYS, 8 do
    local fresh, queue = KEYS[i + 1], KEYS[i + 3]
    local time = timesOf(headerOf(unpack(KEYS, i, i + 7)))
    local due = redis.call('ZRANGEBYLEX', queue, '-', '(' .. bytesOf(time + 1), 'LIMIT', '0', most)
    local running = ARGV[3] == '1' and runningLoans(KEYS[i + 7], time) or 0
    answers[#answers + 1] = {redis.call('LRANGE', fresh, '0', most - 1), due, running}
end
return answers
