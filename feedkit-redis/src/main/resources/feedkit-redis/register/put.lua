-- KEYS: register, pulled. ARGV: time, token, then of each author: author, lowest and highest of the new positions.
-- An entry is: version of the format, version, length of the oldest, oldest, newest.
local PULLED, token = KEYS[2], ARGV[2]
redis.call('SET', KEYS[1], token)
for i = 3, #ARGV, 3 do
    local oldest, newest = ARGV[i + 1], ARGV[i + 2]
    local entry = redis.call('HGET', PULLED, ARGV[i])
    if entry then
        if entry:byte(1) ~= 1 then
            error('FEEDKITFORMAT not a register of version 1: ' .. PULLED)
        end
        local before, after = entry:sub(11, 10 + entry:byte(10)), entry:sub(11 + entry:byte(10))
        oldest = compare(before, oldest) < 0 and before or oldest
        newest = compare(after, newest) > 0 and after or newest
    end
    redis.call('HSET', PULLED, ARGV[i], '\1' .. token .. string.char(#oldest) .. oldest .. newest)
end
return 1
