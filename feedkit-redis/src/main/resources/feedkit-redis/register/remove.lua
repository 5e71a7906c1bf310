-- KEYS: register, pulled. ARGV: time, token, author, version. Answers 1, or 0 if there is no such entry.
-- A change is: token, L, author.
local entry = redis.call('HGET', KEYS[2], ARGV[3])
if not entry or entry:sub(2, 9) ~= ARGV[4] then
    return 0
end
redis.call('HDEL', KEYS[2], ARGV[3])
log(KEYS[1], {ARGV[2] .. 'L' .. ARGV[3]})
return 1
