-- KEYS: format.
-- ARGV: the time (not used), a field, an identity, and 1 if it replaces another identity.
-- Answers with the identity that the field had before, or with nothing.
local found = redis.call('HGET', KEYS[1], ARGV[2])
if not found or ARGV[4] == '1' then
    redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
end
return found or ''
