-- KEYS: for each author: posts, head. ARGV: time, most posts, how long to keep them. Answers with the packed recent
-- posts.
local answers = {}
for i = 1, #KEYS, 2 do
    local newest = redis.call('ZREVRANGEBYSCORE', KEYS[i], '+inf', '0', 'WITHSCORES', 'LIMIT', '0', ARGV[2])
    local posts = {}
    for p = 1, #newest, 2 do
        posts[#posts + 1] = postOf(tonumber(newest[p + 1]), newest[p])
    end
    local head = newHead(#posts, table.concat(posts))
    -- A server that refuses writes can still be read.
    redis.pcall('SET', KEYS[i + 1], head, 'PX', ARGV[3])
    answers[#answers + 1] = head
end
return answers
