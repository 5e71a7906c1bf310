-- Functions shared by the scripts about an author's cached recent posts. The key "head" holds them: version, number of
-- posts, then for each post, the newest first: time, length of the id, id.

local HEAD, POSTS_AT, TIME_BYTES = 3, 3, 6

-- How many digits are packed together, two in a byte. A longer number would not be exact in Lua.
local TOGETHER = 12

-- An id behind its length. An id of digits alone, as most are, takes half a byte for each, and 128 is added to its
-- length.
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

local function postOf(time, id)
    return struct.pack('>I6', time) .. counted(id)
end

local function newHead(count, posts)
    return string.char(HEAD, count) .. posts
end
