-- KEYS: inboxes and pending follows. Answers with the number of keys that existed.
local dropped = 0
for _, key in ipairs(KEYS) do
    dropped = dropped + redis.call('DEL', key)
end
return dropped
