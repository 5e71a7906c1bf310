-- KEYS: register, pulled. ARGV: time, token, then of each author: author, lowest and highest of the new positions.
-- An entry is: version of the format, version, length of the oldest, oldest, newest.
-- A change is: token, P, length of the author, author, entry.
local PULLED, token, changes = KEYS[2], ARGV[2], {}
for i = 3, #ARGV, 3 do
    local author, oldest, newest = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    local entry = redis.call('HGET', PULLED, author)
    if entry then
        if entry:byte(1) ~= 1 then
            error('FEEDKITFORMAT not a register of version 1: ' .. PULLED)
        end
        local before, after = entry:sub(11, 10 + entry:byte(10)), entry:sub(11 + entry:byte(10))
        oldest = compare(before, oldest) < 0 and before or oldest
        newest = compare(after, newest) > 0 and after or newest
    end
    entry = '\1' .. token .. string.char(#oldest) .. oldest .. newest
    redis.call('HSET', PULLED, author, entry)
    changes[#changes + 1] = token .. 'P' .. string.char(#author) .. author .. entry
end
log(KEYS[1], changes)
return 1
