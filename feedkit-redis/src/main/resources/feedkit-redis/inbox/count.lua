-- KEYS: inbox, notes. ARGV: time, from (the first position that counts), limit, cap, records to look for.
-- Answers header, floor, epoch, fields of the notes, how many records are at or above from, how many of those looked for are there, in MessagePack; header and epoch are empty if there is none.
local inbox, notes = KEYS[1], KEYS[2]
local limit, cap = tonumber(ARGV[3]), tonumber(ARGV[4])

local header, epoch, noted = known(inbox, notes)
local pending = noted and redis.call('HKEYS', notes) or {}
if not header or header:sub(3, 3) == 'B' then
    return cmsgpack.pack(header or '', '', epoch or '', pending, '0', '0')
end
local count = redis.call('LLEN', inbox) - 1
local lowest = math.max(1, count - cap + 1)
local floor = lowest > 1 and redis.call('LINDEX', inbox, lowest) or header:sub(FLOOR)
local above = math.min(limit, count + 1 - placeOf(inbox, lowest, count, ARGV[2]))
local held = 0
for i = 5, #ARGV do
    if redis.call('LINDEX', inbox, placeOf(inbox, lowest, count, ARGV[i])) == ARGV[i] then
        held = held + 1
    end
end
return cmsgpack.pack(header, floor, epoch, pending, tostring(above), tostring(held))
