-- KEYS: inbox, pending follows. ARGV: time, token, authors. Answers with 1.
local inbox, pendingFollows, token = KEYS[1], KEYS[2], ARGV[2]
local header, _, hasPending = known(inbox, pendingFollows)
if not hasPending then
    redis.call('DEL', pendingFollows)
end
local fields = {}
for i = 3, #ARGV do
    fields[#fields + 1] = ARGV[i]
    fields[#fields + 1] = token
end
redis.call('HSET', pendingFollows, unpack(fields))
setEpoch(inbox, pendingFollows, header, true, token)
return 1
