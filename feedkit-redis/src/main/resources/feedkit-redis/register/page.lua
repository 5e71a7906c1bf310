-- KEYS: pulled, retracting. ARGV: time, cursors of both or - for one that is done, and about how many of each to read.
-- Answers the next cursors and what was found: fields and values, posts and scores.
local function page(command, key, cursor)
    if cursor == '-' then
        return {'0', {}}
    end
    return redis.call(command, key, cursor, 'COUNT', ARGV[4])
end
local pulled, retracting = page('HSCAN', KEYS[1], ARGV[2]), page('ZSCAN', KEYS[2], ARGV[3])
return {pulled[1], pulled[2], retracting[1], retracting[2]}
