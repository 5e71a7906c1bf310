-- KEYS: dead after the others. ARGV: time. Answers how many tasks there are, when the oldest open one was created or 0, how many are dead.
local oldest = redis.call('ZRANGE', OPEN, '0', '0')[1]
return {redis.call('HLEN', TASKS), oldest and timeAt(oldest, 1) or 0, redis.call('ZCARD', KEYS[6])}
