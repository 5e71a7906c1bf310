-- KEYS: inbox, pending follows.
-- ARGV: time, window, generation, mark, followees, a new epoch.
-- Answers with 1, or with 0 if there is no such inbox.
local inbox, pendingFollows, window = KEYS[1], KEYS[2], tonumber(ARGV[2])
local header, _, hasPending = known(inbox, pendingFollows)
if not header or header:sub(5, 12) ~= ARGV[3] then
    return 0
end
local building = header:sub(3, 3) == 'B'
local others = building or header:sub(FOLLOWEES, FLOOR - 1) ~= ARGV[5]
if building then
    header = header:sub(1, 2) .. 'L' .. header:sub(4, 26) .. timeIn(0) .. timeIn(window) .. header:sub(39)
end
header = header:sub(1, 38) .. ARGV[4] .. ARGV[5] .. header:sub(FLOOR)
if others then
    setEpoch(inbox, pendingFollows, header, hasPending, ARGV[6])
else
    redis.call('LSET', inbox, 0, header)
end
expire(inbox, header)
return 1
