-- KEYS: inboxes and notes. Answers how many there were.
local dropped = 0
for _, key in ipairs(KEYS) do
    dropped = dropped + redis.call('DEL', key)
end
return dropped
