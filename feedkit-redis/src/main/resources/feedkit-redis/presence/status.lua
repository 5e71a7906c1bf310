-- KEYS: for each reader the bucket's readers by the end of their time online, and by when they were last seen.
-- ARGV: time, and the readers.
-- Answers for each reader with 1 if the reader is online, else 0, and when the reader was last seen, or 0.
local answers = {}
for i = 2, #ARGV do
    local ends = redis.call('ZSCORE', KEYS[2 * i - 3], ARGV[i])
    local seen = redis.call('ZSCORE', KEYS[2 * i - 2], ARGV[i])
    answers[#answers + 1] = ends and tonumber(ends) > now and 1 or 0
    answers[#answers + 1] = seen and tonumber(seen) or 0
end
return answers
