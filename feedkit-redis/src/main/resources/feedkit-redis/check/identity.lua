-- KEYS: format.
-- ARGV: the time (not used), a field, its value or nothing to only read it, and 1 if the value replaces another one.
-- Answers with the identity that the field had before, or with nothing.
local found = redis.call('HGET', KEYS[1], ARGV[2])
if (not found and ARGV[3] ~= '') or ARGV[4] == '1' then
    redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
end
return found or ''
