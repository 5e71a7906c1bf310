-- KEYS: dead after the others. ARGV: time. Answers how many tasks there are, when the oldest open one was recorded or 0, how many are dead.
local unfinished = redis.call('HLEN', TASKS) + redis.call('LLEN', FRESH)
return {unfinished, oldestOpen() or 0, redis.call('ZCARD', KEYS[7])}
