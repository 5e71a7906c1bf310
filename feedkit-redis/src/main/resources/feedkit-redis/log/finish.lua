-- KEYS: done after the others.
-- ARGV: time, how long to keep finished tasks, then for each claim: id, token.
-- Answers with 1 or 0 for each.
-- The finished tasks are in the order of time. An entry is the time, the end of its keeping, the id, and what follows
-- the outage in the record. It is empty if the task was restarted.
local DONE = KEYS[9]
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

-- Removes expired entries at the front, up to two for each new one.
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
