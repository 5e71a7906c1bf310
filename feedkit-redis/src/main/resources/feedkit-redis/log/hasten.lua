-- ARGV: time, how many tasks that are not due are looked at, how many of them become due at most. Answers how many did.
local hastened = 0
local places = redis.call('ZRANGEBYLEX', HELD, '[' .. bytesOf(time + 1), '+', 'LIMIT', '0', ARGV[2])
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
return hastened
