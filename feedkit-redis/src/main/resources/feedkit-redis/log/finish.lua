-- KEYS: done after the others. ARGV: time, how long to keep, then of each claim: id, token. Answers 1 or 0 for each.
-- What is done is, in the order of time: when, until when it is kept, id, and what follows the attempts in the record; or nothing, if it was reopened.
local DONE = KEYS[8]
local times = bytesOf(time) .. bytesOf(time + tonumber(ARGV[2]))

local asked = {}
for i = 3, #ARGV, 2 do
    asked[#asked + 1] = ARGV[i]
end
local found = redis.call('HMGET', TASKS, unpack(asked))
local answers, ids, records, done, seen = {}, {}, {}, {}, {}
for i, id in ipairs(asked) do
    local ours = not seen[id] and holds(found[i], ARGV[2 * i + 2])
    if ours then
        local n = #ids + 1
        seen[id] = true
        ids[n], records[n], done[n] = id, found[i], times .. id .. found[i]:sub(VERSION)
    end
    answers[i] = ours and '1' or '0'
end
if #ids > 0 then
    remove(ids, records)
    redis.call('RPUSH', DONE, unpack(done))
end

-- Forgets those at the front whose time is up, up to two for each that came.
local function isOver(entry)
    return entry and (entry == '' or timeAt(entry, 7) <= time)
end
if isOver(redis.call('LINDEX', DONE, '0')) then
    local front = redis.call('LRANGE', DONE, '0', 2 * #asked - 1)
    local over = 1
    while isOver(front[over + 1]) do
        over = over + 1
    end
    redis.call('LTRIM', DONE, over, '-1')
end
keepHeader()
return table.concat(answers)
