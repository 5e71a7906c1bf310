-- ARGV: time, id, token, delay. Answers with 1 or 0.
local id = ARGV[2]
local found = leased(id, ARGV[3])
if not found then
    return 0
end
unqueue(id, found)
local head = found:sub(VERSION, VERSION) .. 'S' .. found:sub(CREATED, CURSOR - 1)
letWait(id, record(NO_LEASE, 0, NO_OUTAGE, head, '', tailOf(found)), time + tonumber(ARGV[4]))
keepHeader()
return 1
