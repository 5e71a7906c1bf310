-- KEYS: the sets of pending changes of buckets. ARGV: about how many items of each, then for each bucket the cursor.
-- Answers for each bucket with the next cursor, which is 0 at the end, and items.
local answers = {}
for bucket, late in ipairs(KEYS) do
    answers[bucket] = redis.call('SSCAN', late, ARGV[2 + bucket], 'COUNT', ARGV[2])
end
return answers
