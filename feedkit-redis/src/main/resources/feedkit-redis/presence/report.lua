-- KEYS: the bucket's readers by the end of their time online, and by when they were last seen.
-- ARGV: time, for how many milliseconds last seen is kept, and for each reader: the reader, how many milliseconds ago
-- the reader was seen, and for how many milliseconds the reader is online from now on.
-- Keeps the later time of each reader for both. Then removes some readers whose time is over.
local online, seen = {}, {}
for i = 3, #ARGV, 3 do
    if tonumber(ARGV[i + 2]) > 0 then
        online[#online + 1] = math.min(now + tonumber(ARGV[i + 2]), FOREVER)
        online[#online + 1] = ARGV[i]
    end
    seen[#seen + 1] = math.max(now - tonumber(ARGV[i + 1]), 1)
    seen[#seen + 1] = ARGV[i]
end
if #online > 0 then
    redis.call('ZADD', KEYS[1], 'GT', unpack(online))
end
redis.call('ZADD', KEYS[2], 'GT', unpack(seen))

-- Twice as many as were added, so that the readers to be removed do not grow in number.
local most = #seen
local over = math.min(most, redis.call('ZCOUNT', KEYS[1], '-inf', now))
if over > 0 then
    redis.call('ZREMRANGEBYRANK', KEYS[1], 0, over - 1)
end
local kept = now - tonumber(ARGV[2])
local old = math.min(most, redis.call('ZCOUNT', KEYS[2], '-inf', kept))
if old > 0 then
    for _, reader in ipairs(redis.call('ZRANGE', KEYS[2], 0, old - 1)) do
        local ends = redis.call('ZSCORE', KEYS[1], reader)
        if ends and tonumber(ends) > now then
            -- Moved behind those who can be removed, or many such readers would hide them.
            redis.call('ZADD', KEYS[2], math.max(kept, 1), reader)
        else
            redis.call('ZREM', KEYS[2], reader)
        end
    end
end

-- An application that is no longer used leaves no keys.
local function expireAfterLast(key, extra)
    local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')
    if last[2] then
        redis.call('PEXPIRE', key, math.max(1, math.min(tonumber(last[2]) - now + extra, FOREVER)))
    end
end
expireAfterLast(KEYS[1], 0)
local lastOnline = redis.call('PTTL', KEYS[1])
expireAfterLast(KEYS[2], tonumber(ARGV[2]))
if lastOnline > redis.call('PTTL', KEYS[2]) then
    redis.call('PEXPIRE', KEYS[2], lastOnline)
end
return 1
