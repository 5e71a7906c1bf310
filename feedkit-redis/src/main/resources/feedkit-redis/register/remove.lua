-- KEYS: register, pulled. ARGV: time, token, author, version. Answers 1, or 0 if there is no such entry.
local entry = redis.call('HGET', KEYS[2], ARGV[3])
if not entry or entry:sub(2, 9) ~= ARGV[4] then
    return 0
end
redis.call('HDEL', KEYS[2], ARGV[3])
redis.call('SET', KEYS[1], ARGV[2])
return 1
