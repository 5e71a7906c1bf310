-- KEYS: format. ARGV: time (not used), then parts and their versions by turns.
-- Answers which versions the parts have, "inbox 1, truth 1" say, or what else is there. A part without a version gets the one given, unless another part has the wrong one.
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
