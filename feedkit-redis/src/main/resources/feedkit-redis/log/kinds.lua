-- ARGV: time, a number. Answers with a letter for each of the tasks that are due first: up to this number of tasks that
-- were claimed before, and up to this number of fresh ones.
local AT_ONCE = 100
local among = tonumber(ARGV[2])
local letters = {}
local places = redis.call('ZRANGE', QUEUE, 0, among - 1)
for first = 1, #places, AT_ONCE do
    local ids = {}
    for i = first, math.min(first + AT_ONCE - 1, #places) do
        ids[#ids + 1] = places[i]:sub(15)
    end
    for _, found in ipairs(redis.call('HMGET', TASKS, unpack(ids))) do
        if found then
            letters[#letters + 1] = found:sub(KIND, KIND)
        end
    end
end
for _, fresh in ipairs(redis.call('LRANGE', FRESH, 0, among - 1)) do
    letters[#letters + 1] = fresh:sub(30, 30)
end
return table.concat(letters)
