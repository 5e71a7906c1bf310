-- KEYS: inbox. ARGV: time, window, generation, mark. Answers 1, or 0 if there is no such inbox.
local inbox, window, mark = KEYS[1], tonumber(ARGV[2]), ARGV[4]
local header = opened(inbox)
if not header or header:sub(5, 12) ~= ARGV[3] then
    return 0
end
if header:sub(3, 3) == 'B' then
    header = header:sub(1, 2) .. 'L' .. header:sub(4, 26) .. timeIn(0) .. timeIn(window) .. header:sub(39)
end
header = header:sub(1, 38) .. mark .. header:sub(FLOOR)
redis.call('LSET', inbox, 0, header)
expire(inbox, header)
return 1
