-- KEYS: for each step the owner's hash, and the set of pending changes of the bucket.
-- ARGV: how long a forgetting may take, or 0 at its end, and how long to keep a fence. For each step the beginning of
-- the owner's items behind their first letter, and the fence.
-- The answers have no meaning.
local answers = {}
for step = 1, #KEYS / 2 do
    local held, late = KEYS[2 * step - 1], KEYS[2 * step]
    for _, field in ipairs(redis.call('HKEYS', held)) do
        local kind = field:sub(1, 1)
        if kind == 'i' or kind == 's' then
            redis.call('SREM', late, (kind == 'i' and 'c' or 's') .. ARGV[2 + 2 * step] .. field:sub(2))
        end
    end
    redis.call('UNLINK', held)
    local till = ARGV[2] == '0' and '0' or tostring(now + ARGV[2])
    redis.call('HSET', held, '@', till .. ' ' .. ARGV[3 + 2 * step])
    redis.call('PEXPIRE', held, ARGV[3])
    answers[step] = ''
end
return answers
