-- KEYS: done after the others. ARGV: time, since, most. Answers how many were reopened, looked at, and are left.
local DONE, since = KEYS[6], ARGV[2]
local found = redis.call('ZRANGEBYSCORE', DONE, since, '+inf', 'LIMIT', '0', ARGV[3])
local reopened = 0
for _, entry in ipairs(found) do
    redis.call('ZREM', DONE, entry)
    if timeAt(entry, 14) > time then
        add(entry:sub(1, 13), entry:sub(20, 27), '', entry:sub(28))
        reopened = reopened + 1
    end
end
return {reopened, #found, redis.call('ZCOUNT', DONE, since, '+inf')}
