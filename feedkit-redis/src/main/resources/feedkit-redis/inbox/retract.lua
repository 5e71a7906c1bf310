-- KEYS: inboxes. ARGV: time, entry. Answers with the number of inboxes that held the entry.
local removed = 0
for _, inbox in ipairs(KEYS) do
    removed = removed + redis.call('LREM', inbox, -1, ARGV[2])
end
return removed
