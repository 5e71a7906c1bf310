-- KEYS: inbox.
-- ARGV: time, stored, cap, generation, floor, entries in ascending order, each once.
-- Answers with 1, or with 0 if there is no such inbox.
local FIRST = 6
local inbox, stored, cap = KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local header = opened(inbox)
if not header or header:sub(5, 12) ~= ARGV[4] then
    return 0
end
local floor = header:sub(FLOOR)
if compare(ARGV[5], floor) > 0 then
    floor = ARGV[5]
elseif #ARGV < FIRST then
    return 1
end

local present = redis.call('LRANGE', inbox, 1, -1)
local merged = {}
local function add(record)
    if #merged > 0 or compare(record, floor) >= 0 then
        merged[#merged + 1] = record
    end
end
local p, g = 1, FIRST
while p <= #present and g <= #ARGV do
    local order = compare(present[p], ARGV[g])
    if order <= 0 then
        add(present[p])
        p = p + 1
    else
        add(ARGV[g])
    end
    if order >= 0 then
        g = g + 1
    end
end
for i = p, #present do
    add(present[i])
end
for i = g, #ARGV do
    add(ARGV[i])
end

if #merged > stored then
    local kept = {}
    for i = #merged - cap + 1, #merged do
        kept[#kept + 1] = merged[i]
    end
    merged = kept
    floor = kept[1]
end
rewrite(inbox, header:sub(1, FLOOR - 1) .. floor, merged)
return 1
