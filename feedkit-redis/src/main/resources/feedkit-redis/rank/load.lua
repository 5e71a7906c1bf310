-- KEYS: ranked orders. ARGV: time, name. Answers with the order; empty if there is none, or it has ended.
local list = listed(KEYS[1])
for place = 1, #list, ENTRY do
    if list:sub(place, place + NAME - 1) == ARGV[2] then
        return timeAt(list, place + NAME) > now and redis.call('HGET', KEYS[1], ARGV[2]) or ''
    end
end
return ''
