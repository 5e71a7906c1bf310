-- KEYS: what is late in buckets. ARGV: how many items of each at most. Answers for each bucket the items.
local answers = {}
for bucket, late in ipairs(KEYS) do
    answers[bucket] = redis.call('SRANDMEMBER', late, ARGV[2])
end
return answers
