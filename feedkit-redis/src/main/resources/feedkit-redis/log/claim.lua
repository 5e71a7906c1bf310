-- Leases tasks, or lends them if the token is one of a loan.
-- ARGV: time, lease or loan, token, how many of the queue keys are those of fresh tasks, the queue keys, these first.
-- Answers for each queue key with the record, or with nothing if the task has moved; and with the queue keys of those
-- whose loan had run out.
local FIRST, PLACE = 5, 28
local fresh = tonumber(ARGV[4])
local lease = bytesOf(time + tonumber(ARGV[2])) .. ARGV[3]
local lends = hasLoan(lease)
local answers, records, places, open, held, lapsed = {}, {}, {}, {}, {}, {}

local function take(id, found)
    local n = #records
    records[n + 1], records[n + 2] = id, found
    places[n + 1], places[n + 2] = '0', lease .. id
end

-- Fresh tasks are in the order of their queue keys. So the requested ones that are still there come first.
local front = fresh > 0 and redis.call('LRANGE', FRESH, '0', fresh - 1) or {}
local taken = 0
for i = FIRST, FIRST + fresh - 1 do
    local element = front[taken + 1]
    if element and element:sub(1, PLACE) == ARGV[i] then
        taken = taken + 1
        local id, found = element:sub(15, PLACE), lease .. '\0\0' .. NO_OUTAGE .. element:sub(PLACE + 1)
        take(id, found)
        local n = #open
        open[n + 1], open[n + 2] = '0', openOf(found, id)
        answers[i - FIRST + 1] = found
    else
        answers[i - FIRST + 1] = ''
    end
end

for i = FIRST + fresh, #ARGV do
    local place = ARGV[i]
    local id = place:sub(15)
    local found = redis.call('ZREM', QUEUE, place) == 1 and redis.call('HGET', TASKS, id)
    if found then
        local attempts = attemptsOf(found)
        if hasLoan(found) then
            lapsed[#lapsed + 1] = place
        elseif found:sub(1, ATTEMPTS - 1) == NO_LEASE then
            held[#held + 1] = place
        else
            attempts = attempts + 1
        end
        found = record(lease, attempts, outageOf(found), headOf(found), cursorOf(found), tailOf(found))
        take(id, found)
    end
    answers[i - FIRST + 1] = found or ''
end

if #records > 0 then
    redis.call('HSET', TASKS, unpack(records))
    redis.call('ZADD', QUEUE, unpack(places))
end
if #open > 0 then
    redis.call('ZADD', OPEN, unpack(open))
end
if #held > 0 then
    redis.call('ZREM', HELD, unpack(held))
end
if #lapsed > 0 then
    redis.call('ZREM', LENT, unpack(lapsed))
end
if lends and #places > 0 then
    redis.call('ZADD', LENT, unpack(places))
end
if taken > 0 then
    redis.call('LTRIM', FRESH, taken, '-1')
end
return {answers, lapsed}
