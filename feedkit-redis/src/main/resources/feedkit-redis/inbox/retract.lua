-- KEYS: inboxes. ARGV: time, record. Answers how many inboxes held the record.
local removed = 0
for _, inbox in ipairs(KEYS) do
    removed = removed + redis.call('LREM', inbox, -1, ARGV[2])
end
return removed
