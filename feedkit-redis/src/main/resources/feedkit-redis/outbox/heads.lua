-- KEYS: of each author: posts, head. ARGV: time, most posts, how long to keep. Answers the heads: version, then of each post: time, length of the id, id.
local answers = {}
for i = 1, #KEYS, 2 do
    local newest = redis.call('ZREVRANGEBYSCORE', KEYS[i], '+inf', '0', 'WITHSCORES', 'LIMIT', '0', ARGV[2])
    local parts = {'\2'}
    for p = 1, #newest, 2 do
        local id = newest[p]
        parts[#parts + 1] = struct.pack('>I6', tonumber(newest[p + 1])) .. string.char(#id) .. id
    end
    local head = table.concat(parts)
    -- A server that refuses writes is still read.
    redis.pcall('SET', KEYS[i + 1], head, 'PX', ARGV[3])
    answers[#answers + 1] = head
end
return answers
