-- ARGV: time, how many tasks that are not due to look at, how many of them to make due at most, and the queue key after
-- which to look, or ''.
-- Answers with the number of tasks that were made due, and with the last queue key, or '' if there are no more.
local hastened = 0
local from = ARGV[4] == '' and '[' .. bytesOf(time + 1) or '(' .. ARGV[4]
local places = redis.call('ZRANGEBYLEX', HELD, from, '+', 'LIMIT', '0', ARGV[2])
for _, place in ipairs(places) do
    local id = place:sub(15)
    local found = redis.call('HGET', TASKS, id)
    local kind = found and found:sub(KIND, KIND)
    if found and kind ~= 'A' and kind ~= 'S' and hastened < tonumber(ARGV[3]) then
        redis.call('ZREM', QUEUE, place)
        redis.call('ZREM', HELD, place)
        letWait(id, found, time)
        hastened = hastened + 1
    end
end
keepHeader()
return {hastened, #places == tonumber(ARGV[2]) and places[#places] or ''}
