-- KEYS: inbox, pending follows.
-- ARGV: time, lease, window, 1 to replace a live inbox, generation, the epoch if there is none, the lowest floor.
-- Answers with 0 if it was opened, 1 if another builder is at work, 2 if there is a live inbox.
local inbox, lease, window = KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local header, epoch, hasPending = known(inbox, KEYS[2])
if header then
    local state = header:sub(3, 3)
    if state == 'B' and now < timeAt(header, 21) then
        return 1
    end
    if state == 'L' and ARGV[4] ~= '1' then
        return 2
    end
end
local times = timeIn(lease) .. timeIn(0) .. timeIn(math.max(lease, window))
local fresh = '\255\1B' .. (hasPending and '1' or '0') .. ARGV[5] .. (epoch or ARGV[6]) .. times
    .. string.rep('\0', 16) .. ARGV[7]
rewrite(inbox, fresh, {})
return 0
