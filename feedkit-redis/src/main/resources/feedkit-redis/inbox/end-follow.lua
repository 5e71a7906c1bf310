-- KEYS: inbox, pending follows.
-- ARGV: time, token, new epoch, the bits to toggle in the followees, authors.
-- Answers with the places of the authors that have no such pending follow, counted from 0.
local FIRST = 5
local inbox, pendingFollows = KEYS[1], KEYS[2]

local function toggled(followees)
    local a, b = struct.unpack('>I4I4', followees)
    local c, d = struct.unpack('>I4I4', ARGV[4])
    return struct.pack('>I4I4', bit.bxor(a, c) % 4294967296, bit.bxor(b, d) % 4294967296)
end

local header, _, hasPending = known(inbox, pendingFollows)
local tokens = hasPending and redis.call('HMGET', pendingFollows, unpack(ARGV, FIRST)) or {}
local ended, refused = {}, {}
for i = FIRST, #ARGV do
    if tokens[i - FIRST + 1] == ARGV[2] then
        ended[#ended + 1] = ARGV[i]
    else
        refused[#refused + 1] = i - FIRST
    end
end
if #ended > 0 then
    if header and #refused == 0 then
        header = header:sub(1, FOLLOWEES - 1) .. toggled(header:sub(FOLLOWEES, FLOOR - 1)) .. header:sub(FLOOR)
    end
    setEpoch(inbox, pendingFollows, header, removePendingFollows(pendingFollows, ended), ARGV[3])
end
return refused
