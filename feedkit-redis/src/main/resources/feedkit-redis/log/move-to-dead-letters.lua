-- KEYS: dead after the others. ARGV: time, id, token, reason, attempts. Answers with 1 or 0.
local id = ARGV[2]
local found = leased(id, ARGV[3])
if not found then
    return 0
end
remove({id}, {found})
local lease, attempts = found:sub(1, ATTEMPTS - 1), tonumber(ARGV[5])
found = record(lease, attempts, outageOf(found), headOf(found), cursorOf(found), tailOf(found))
redis.call('ZADD', KEYS[9], '0', id .. bytesOf(time) .. struct.pack('>I2', #ARGV[4]) .. ARGV[4] .. found)
return 1
