-- KEYS: for each step what is held of the owner, and what is late in the bucket. For each step in ARGV: c for a cell and s for a member, name, item. Answers for each step nothing of interest.
local answers = {}
for step = 1, #KEYS / 2 do
    local held, late = KEYS[2 * step - 1], KEYS[2 * step]
    local kind, name = ARGV[3 * step - 1], ARGV[3 * step]
    if redis.call('EXISTS', held) == 1 then
        if redis.call('SREM', late, ARGV[3 * step + 1]) == 1 then
            redis.call('HINCRBY', held, '#', -1)
        end
        if kind == 'c' then
            redis.call('HDEL', held, 'i' .. name, 'n' .. name, 'a' .. name, 'm' .. name)
        else
            redis.call('HDEL', held, 's' .. name)
        end
    end
    answers[step] = ''
end
return answers
