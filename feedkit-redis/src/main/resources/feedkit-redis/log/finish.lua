-- KEYS: done after the others. ARGV: time, how long to keep, then of each claim: id, token. Answers 1 or 0 for each.
local DONE = KEYS[6]
local score = string.format('%.0f', time)
local forgotten = bytesOf(time + tonumber(ARGV[2]))
local answers = {}
for i = 3, #ARGV, 2 do
    local id = ARGV[i]
    local found = leased(id, ARGV[i + 1])
    if found then
        remove(id, found)
        redis.call('ZADD', DONE, score, id .. forgotten .. headOf(found) .. tailOf(found))
    end
    answers[#answers + 1] = found and '1' or '0'
end

-- Forgets those at the front whose time is up, up to two for each that came.
local function isOver(member)
    return timeAt(member, 14) <= time
end
local oldest = redis.call('ZRANGE', DONE, '0', '0')
if oldest[1] and isOver(oldest[1]) then
    local front = redis.call('ZRANGE', DONE, '0', 2 * #answers - 1)
    local over = 1
    while front[over + 1] and isOver(front[over + 1]) do
        over = over + 1
    end
    redis.call('ZREMRANGEBYRANK', DONE, '0', over - 1)
end
keepHeader()
return table.concat(answers)
