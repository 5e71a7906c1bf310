-- KEYS: dead after the others. ARGV: time. Answers with the number of due tasks, of tasks that may not be claimed yet,
-- and of dead letters.
local deferred = redis.call('ZLEXCOUNT', HELD, '[' .. bytesOf(time + 1), '+')
local unfinished = redis.call('HLEN', TASKS) + redis.call('LLEN', FRESH)
return {unfinished - deferred, deferred, redis.call('ZCARD', KEYS[8])}
