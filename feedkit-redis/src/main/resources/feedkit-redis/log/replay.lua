-- KEYS: dead after the others. ARGV: time, ids. Answers how many were dead.
local DEAD = KEYS[6]
local replayed = 0
for i = 2, #ARGV do
    local id = ARGV[i]
    local entry = redis.call('ZRANGEBYLEX', DEAD, '[' .. id, '+', 'LIMIT', '0', '1')[1]
    if entry and entry:sub(1, 13) == id then
        redis.call('ZREM', DEAD, entry)
        local reason = struct.unpack('>I2', entry, 20)
        local found = entry:sub(22 + reason)
        add(id, headOf(found), cursorOf(found), tailOf(found))
        replayed = replayed + 1
    end
end
return replayed
