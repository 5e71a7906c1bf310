-- ARGV: time, id, token, the tail of each part. Answers with 1 or 0.
local id = ARGV[2]
local found = leased(id, ARGV[3])
if not found then
    return 0
end
remove({id}, {found})
for i = 4, #ARGV do
    add(nextId(), headOf(found), '', ARGV[i])
end
keepHeader()
return 1
