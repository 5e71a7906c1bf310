-- KEYS: for each step what is held of the owner, and what is late in the bucket. For each step in ARGV: what the items of the owner begin with behind their first letter.
-- Answers for each step nothing of interest.
local answers = {}
for step = 1, #KEYS / 2 do
    local held, late = KEYS[2 * step - 1], KEYS[2 * step]
    for _, field in ipairs(redis.call('HKEYS', held)) do
        local kind = field:sub(1, 1)
        if kind == 'i' or kind == 's' then
            redis.call('SREM', late, (kind == 'i' and 'c' or 's') .. ARGV[1 + step] .. field:sub(2))
        end
    end
    redis.call('UNLINK', held)
    answers[step] = ''
end
return answers
