-- KEYS: for each step the owner's hash, and the set of pending changes of the bucket.
-- ARGV: for each step c for a cell or s for a member, the name, how long to keep a hash without pending changes, the
-- item.
-- The answers have no meaning.
local answers = {}
for step = 1, #KEYS / 2 do
    local held, late = KEYS[2 * step - 1], KEYS[2 * step]
    local kind, name = ARGV[4 * step - 2], ARGV[4 * step - 1]
    if redis.call('EXISTS', held) == 1 then
        if redis.call('SREM', late, ARGV[4 * step + 1]) == 1 and redis.call('HINCRBY', held, '#', -1) <= 0 then
            redis.call('PEXPIRE', held, ARGV[4 * step])
        end
        if kind == 'c' then
            for _, field in ipairs({ 'i', 'r', 'n', 'a', 'o', 'm' }) do
                redis.call('HDEL', held, field .. name)
            end
        else
            redis.call('HDEL', held, 's' .. name)
        end
    end
    answers[step] = ''
end
return answers
