-- KEYS: inbox, notes. ARGV: time, author as at the end of a record, epoch. Answers 1, or 0 if the epoch is another.
local inbox, author = KEYS[1], ARGV[2]

local function nibble(record, n)
    local byte = record:byte(math.floor(n / 2) + 1)
    return n % 2 == 0 and math.floor(byte / 16) or byte % 16
end

-- The place of the byte with which the author begins: after the time, the characters of the id, and the nibble 0 that ends it.
local function authorAt(record)
    local n = 12
    local code = nibble(record, n)
    while code ~= 0 do
        if code == 15 and nibble(record, n + 1) == 15 then
            n = n + 3
        elseif code == 1 or code >= 12 then
            n = n + 2
        else
            n = n + 1
        end
        code = nibble(record, n)
    end
    return math.floor(n / 2) + 2
end

local header, epoch = known(inbox, KEYS[2])
if (epoch or string.rep('\0', 8)) ~= ARGV[3] then
    return 0
end
if not header then
    return 1
end
local all = redis.call('LRANGE', inbox, 1, -1)
local kept = {}
for _, record in ipairs(all) do
    local its = record:sub(-#author) == author and authorAt(record) == #record - #author + 1
    if not its then
        kept[#kept + 1] = record
    end
end
if #kept < #all then
    rewrite(inbox, header, kept)
end
return 1
