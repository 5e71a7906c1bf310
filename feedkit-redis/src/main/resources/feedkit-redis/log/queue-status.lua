-- KEYS: dead after the others. ARGV: time. Answers with the number of due tasks, of tasks that cannot be claimed yet,
-- of dead letters, and of due tasks that are lent.
local deferred = redis.call('ZLEXCOUNT', HELD, '[' .. bytesOf(time + 1), '+')
local unfinished = redis.call('HLEN', TASKS) + redis.call('LLEN', FRESH)
return {unfinished - deferred, deferred, redis.call('ZCARD', KEYS[9]), runningLoans(LENT, time)}
