-- KEYS: register, retracting. ARGV: time, token, entries. Answers how many were there.
local removed = redis.call('SREM', KEYS[2], unpack(ARGV, 3))
if removed > 0 then
    redis.call('SET', KEYS[1], ARGV[2])
end
return removed
