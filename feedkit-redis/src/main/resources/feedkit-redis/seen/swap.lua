-- KEYS: mark. ARGV: time, the expected mark (empty if there is none), the new mark (empty for none).
-- Sets the mark if it is the expected one. Answers with the mark as it is then.
local mark = redis.call('GET', KEYS[1]) or ''
if mark ~= ARGV[2] then
    return mark
end
if ARGV[3] == '' then
    redis.call('DEL', KEYS[1])
else
    redis.call('SET', KEYS[1], ARGV[3])
end
return ARGV[3]
