-- KEYS: losses.
-- ARGV: time, the latest loss that the caller knows, within how many milliseconds callers notice a loss, how many
-- milliseconds ago the caller last delivered (empty for never), and the ids of servers that the caller did not know.
-- Answers with the time of the latest loss, or 0.
local LOSSES, KEPT_SECONDS = KEYS[1], '604800'
local latest = tonumber(ARGV[2])
for _, time in ipairs(redis.call('HVALS', LOSSES)) do
    latest = math.max(latest, tonumber(time))
end
local noticed = math.max(now, latest + 1)
local delivered = ARGV[4] ~= '' and now - tonumber(ARGV[4]) or 0
for i = 5, #ARGV do
    local kept = redis.call('HGET', LOSSES, ARGV[i])
    local known = kept and tonumber(kept)
    if not known or delivered > known + tonumber(ARGV[3]) then
        redis.call('HSET', LOSSES, ARGV[i], string.format('%.0f', noticed))
        redis.call('EXPIRE', LOSSES, KEPT_SECONDS)
        latest = noticed
    end
end
return latest
