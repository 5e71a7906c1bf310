-- KEYS: dead after the others. ARGV: time. Answers how many tasks are due, how many nobody may claim yet, how many are dead.
local deferred = redis.call('ZLEXCOUNT', HELD, '[' .. bytesOf(time + 1), '+')
local unfinished = redis.call('HLEN', TASKS) + redis.call('LLEN', FRESH)
return {unfinished - deferred, deferred, redis.call('ZCARD', KEYS[8])}
