-- KEYS: dead after the others. ARGV: time, ids. Answers with the number of ids that were dead letters.
local DEAD = KEYS[9]
local replayed = 0
for i = 2, #ARGV do
    local id = ARGV[i]
    local entry = redis.call('ZRANGEBYLEX', DEAD, '[' .. id, '+', 'LIMIT', '0', '1')[1]
    if entry and entry:sub(1, 14) == id then
        redis.call('ZREM', DEAD, entry)
        local found = entry:sub(23 + entry:byte(21) * 256 + entry:byte(22))
        add(id, headAgain(headOf(found)), cursorOf(found), tailOf(found))
        replayed = replayed + 1
    end
end
keepHeader()
return replayed
