-- KEYS: readers of some buckets by the end of their time online. ARGV: time.
-- Answers with the number of readers who are online.
local sum = 0
for i = 1, #KEYS do
    sum = sum + redis.call('ZCOUNT', KEYS[i], '(' .. string.format('%.0f', now), '+inf')
end
return sum
