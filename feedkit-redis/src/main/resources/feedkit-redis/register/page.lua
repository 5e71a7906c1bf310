-- KEYS: register, pulled, retracting. ARGV: time, the token of what is known, cursors of both or - for one that is done, and about how many of each to read.
-- Answers the token, and unless it is the known one the next cursors and what was found.
local token = redis.call('GET', KEYS[1]) or ''
if token == ARGV[2] then
    return {token}
end
local function page(command, key, cursor)
    if cursor == '-' then
        return {'0', {}}
    end
    return redis.call(command, key, cursor, 'COUNT', ARGV[5])
end
local pulled, retracting = page('HSCAN', KEYS[2], ARGV[3]), page('SSCAN', KEYS[3], ARGV[4])
return {token, pulled[1], pulled[2], retracting[1], retracting[2]}
