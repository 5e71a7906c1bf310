-- KEYS: the sets of pending changes of buckets. ARGV: the most items of each. Answers for each bucket with items.
local answers = {}
for bucket, late in ipairs(KEYS) do
    answers[bucket] = redis.call('SRANDMEMBER', late, ARGV[2])
end
return answers
