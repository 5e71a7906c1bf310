-- KEYS: register, retracting. ARGV: time, token, posts. Answers how many were there.
-- A change is: token, E, post.
local changes = {}
for i = 3, #ARGV do
    if redis.call('ZREM', KEYS[2], ARGV[i]) == 1 then
        changes[#changes + 1] = ARGV[2] .. 'E' .. ARGV[i]
    end
end
log(KEYS[1], changes)
return #changes
