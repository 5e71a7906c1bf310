-- KEYS: of each author: posts, head. ARGV: time, most posts, how long to keep.
-- Answers the heads: version, how many posts, then of each: time, length of the id, id.

-- Digits that are packed together, two in a byte: more would not be exact as a number of Lua's.
local TOGETHER = 12

-- An id behind its length. Of digits alone, as most are, it takes half a byte each, and 128 is added to the length.
local function counted(id)
    if id:find('%D') then
        return string.char(#id) .. id
    end
    local even = #id % 2 == 0 and id or id .. 'F'
    local packed = string.char(128 + #id)
    for i = 1, #even, TOGETHER do
        local some = even:sub(i, i + TOGETHER - 1)
        packed = packed .. struct.pack('>I' .. #some / 2, tonumber(some, 16))
    end
    return packed
end

local answers = {}
for i = 1, #KEYS, 2 do
    local newest = redis.call('ZREVRANGEBYSCORE', KEYS[i], '+inf', '0', 'WITHSCORES', 'LIMIT', '0', ARGV[2])
    local parts = {string.char(3, #newest / 2)}
    for p = 1, #newest, 2 do
        parts[#parts + 1] = struct.pack('>I6', tonumber(newest[p + 1])) .. counted(newest[p])
    end
    local head = table.concat(parts)
    -- A server that refuses writes is still read.
    redis.pcall('SET', KEYS[i + 1], head, 'PX', ARGV[3])
    answers[#answers + 1] = head
end
return answers
