-- KEYS: format.
-- ARGV: the time (not used), then components and their versions in turn.
-- Answers with the versions that the components have, such as "inbox 1, truth 1", or with the type of a key that is not
-- a hash. A component without a version gets the given one, unless another component has a wrong version.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'none' and kind ~= 'hash' then
    return 'a ' .. kind
end

local answer, missing, right = {}, {}, true
for i = 2, #ARGV, 2 do
    local part, version = ARGV[i], ARGV[i + 1]
    local found = redis.call('HGET', KEYS[1], part)
    if not found then
        missing[#missing + 1] = part
        missing[#missing + 1] = version
    elseif found ~= version then
        right = false
    end
    answer[#answer + 1] = part .. ' ' .. (found or version):sub(1, 20)
end
if right and #missing > 0 then
    redis.call('HSET', KEYS[1], unpack(missing))
end
return table.concat(answer, ', ')
