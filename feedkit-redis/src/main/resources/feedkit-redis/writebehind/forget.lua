-- KEYS: for each step the owner's hash, and the set of pending changes of the bucket.
-- ARGV: for each step the beginning of the owner's items behind their first letter.
-- The answers have no meaning.
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
