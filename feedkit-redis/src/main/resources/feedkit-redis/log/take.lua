-- ARGV: time, lease, its token, then for each loan: id, token.
-- Answers for each with the record, or with nothing if the loan has ended.
local lease = bytesOf(time + tonumber(ARGV[2])) .. ARGV[3]

local asked = {}
for i = 4, #ARGV, 2 do
    asked[#asked + 1] = ARGV[i]
end
local found = redis.call('HMGET', TASKS, unpack(asked))
local answers, loans, records, places, seen = {}, {}, {}, {}, {}
for i, id in ipairs(asked) do
    if not seen[id] and borrows(found[i], ARGV[2 * i + 3]) then
        local n = #records
        seen[id] = true
        loans[#loans + 1] = found[i]:sub(1, ATTEMPTS - 1) .. id
        answers[i] = lease .. found[i]:sub(ATTEMPTS)
        records[n + 1], records[n + 2] = id, answers[i]
        places[n + 1], places[n + 2] = '0', lease .. id
    else
        answers[i] = ''
    end
end
if #loans > 0 then
    redis.call('ZREM', QUEUE, unpack(loans))
    redis.call('ZREM', LENT, unpack(loans))
    redis.call('HSET', TASKS, unpack(records))
    redis.call('ZADD', QUEUE, unpack(places))
end
return answers
