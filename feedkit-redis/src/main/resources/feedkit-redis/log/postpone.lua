-- ARGV: time, then for each claim: id, token, delay. Answers with 1 or 0 for each.
local answers = {}
for i = 2, #ARGV, 3 do
    local id = ARGV[i]
    local found = leased(id, ARGV[i + 1])
    if found then
        unqueue(id, found)
        local failures, since = struct.unpack('>I2I6', outageOf(found))
        local outage = struct.pack('>I2I6', math.min(failures + 1, 65535), failures == 0 and time or since)
        found = record(NO_LEASE, 0, outage, headOf(found), cursorOf(found), tailOf(found))
        letWait(id, found, time + tonumber(ARGV[i + 2]))
    end
    answers[#answers + 1] = found and '1' or '0'
end
keepHeader()
return table.concat(answers)
