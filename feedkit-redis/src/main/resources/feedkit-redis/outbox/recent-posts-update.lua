-- Updates an author's cached recent posts when the author posts.

-- The first posts of the packed ones, or nothing if there are fewer.
local function front(head, count)
    local place = POSTS_AT
    for _ = 1, count do
        local length = head:byte(place + TIME_BYTES)
        if not length then
            return nil
        end
        place = place + TIME_BYTES + 1 + (length < 128 and length or math.ceil((length - 128) / 2))
    end
    return place <= #head + 1 and head:sub(POSTS_AT, place - 1) or nil
end

-- The packed posts with one more in front, and without the last if they were full. Returns nothing if the key holds
-- something else, or the post is not certainly the newest.
local function withNewest(head, at, id, most)
    local count = type(head) == 'string' and head:byte(1) == HEAD and head:byte(2)
    if not count or count > most or (count > 0 and (#head < POSTS_AT + TIME_BYTES or timeAt(head, POSTS_AT) >= at)) then
        return nil
    end
    local kept = math.min(count, most - 1)
    local posts = front(head, kept)
    return posts and newHead(kept + 1, postOf(at, id) .. posts)
end

-- Adds a new post to the packed ones if possible, or removes them. The next read that misses them packs them again.
local function takeIn(key, at, id, most)
    local head = redis.pcall('GET', key)
    local newer = head and withNewest(head, at, id, most)
    if newer then
        redis.call('SET', key, newer, 'KEEPTTL')
    elseif head then
        redis.call('DEL', key)
    end
end
