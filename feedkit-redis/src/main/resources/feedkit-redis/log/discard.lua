-- KEYS: dead after the others. ARGV: time, ids. Answers with the number of ids that were dead letters.
local DEAD = KEYS[9]
local discarded = 0
for i = 2, #ARGV do
    local id = ARGV[i]
    local entry = redis.call('ZRANGEBYLEX', DEAD, '[' .. id, '+', 'LIMIT', '0', '1')[1]
    if entry and entry:sub(1, 14) == id then
        discarded = discarded + redis.call('ZREM', DEAD, entry)
    end
end
return discarded
