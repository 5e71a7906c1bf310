-- KEYS: inboxes. ARGV: time, the post's entry without its time. Answers with the number of removed entries.
local untimed = ARGV[2]
local length = #untimed + 6
local removed = 0
for _, inbox in ipairs(KEYS) do
    for _, record in ipairs(redis.call('LRANGE', inbox, 1, -1)) do
        if #record == length and record:sub(7) == untimed then
            removed = removed + redis.call('LREM', inbox, -1, record)
        end
    end
end
return removed
