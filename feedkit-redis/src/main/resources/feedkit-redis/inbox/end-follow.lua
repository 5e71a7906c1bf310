-- KEYS: inbox, notes. ARGV: time, author, token, new epoch. Answers 1, or 0 if the author has no such note.
local inbox, notes, author = KEYS[1], KEYS[2], ARGV[2]
local header, _, noted = known(inbox, notes)
if not noted or redis.call('HGET', notes, author) ~= ARGV[3] then
    return 0
end
setEpoch(inbox, notes, header, removeNote(notes, author), ARGV[4])
return 1
