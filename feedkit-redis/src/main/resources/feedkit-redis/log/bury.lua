-- KEYS: dead after the others. ARGV: time, id, token, reason. Answers 1 or 0.
local id = ARGV[2]
local found = leased(id, ARGV[3])
if not found then
    return 0
end
remove({id}, {found})
redis.call('ZADD', KEYS[7], '0', id .. bytesOf(time) .. struct.pack('>I2', #ARGV[4]) .. ARGV[4] .. found)
return 1
