-- KEYS: inbox, notes. ARGV: time, author, token. Answers 1.
local inbox, notes, author, token = KEYS[1], KEYS[2], ARGV[2], ARGV[3]
local header, _, noted = known(inbox, notes)
if not noted then
    redis.call('DEL', notes)
end
redis.call('HSET', notes, author, token)
setEpoch(inbox, notes, header, true, token)
return 1
