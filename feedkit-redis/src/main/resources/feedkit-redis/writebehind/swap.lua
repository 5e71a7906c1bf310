-- KEYS: for each step what is held of the owner, and what is late in the bucket. For each step in ARGV: m for a mark and s for a member, name, what is expected, what takes its place, life, item.
-- Answers for each step whether what was expected was there, or nothing if nothing was.
local answers = {}
for step = 1, #KEYS / 2 do
    local held, late = KEYS[2 * step - 1], KEYS[2 * step]
    local kind, name = ARGV[6 * step - 4], ARGV[6 * step - 3]
    if (redis.call('HGET', held, kind .. name) or '') == ARGV[6 * step - 2] then
        redis.call('HSET', held, kind .. name, ARGV[6 * step - 1])
        if kind == 'm' then
            redis.call('HSETNX', held, 'i' .. name, ARGV[6 * step])
        end
        isLate(held, late, ARGV[6 * step + 1])
        answers[step] = '1'
    else
        answers[step] = '0'
    end
end
return answers
