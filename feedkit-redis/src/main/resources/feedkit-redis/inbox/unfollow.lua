-- KEYS: inbox, notes. ARGV: time, author, new epoch. Answers 1, or 0 if there is neither an inbox nor a note.
local inbox, notes, author = KEYS[1], KEYS[2], ARGV[2]
local header, _, noted = known(inbox, notes)
if not header and not noted then
    return 0
end
setEpoch(inbox, notes, header, noted and removeNote(notes, author), ARGV[3])
return 1
