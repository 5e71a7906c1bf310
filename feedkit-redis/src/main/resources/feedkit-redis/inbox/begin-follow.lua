-- KEYS: inbox, notes. ARGV: time, token, authors. Answers with 1.
local inbox, notes, token = KEYS[1], KEYS[2], ARGV[2]
local header, _, noted = known(inbox, notes)
if not noted then
    redis.call('DEL', notes)
end
local fields = {}
for i = 3, #ARGV do
    fields[#fields + 1] = ARGV[i]
    fields[#fields + 1] = token
end
redis.call('HSET', notes, unpack(fields))
setEpoch(inbox, notes, header, true, token)
return 1
