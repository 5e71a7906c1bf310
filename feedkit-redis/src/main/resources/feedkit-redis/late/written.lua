-- KEYS: for each step what is held of the owner, and what is late in the bucket. For each step in ARGV: c for a cell and s for a member, name, life, the version or the member's value that was written, how long
-- what is not late is kept, item. Answers for each step whether it is not late any more.
local answers = {}
for step = 1, #KEYS / 2 do
    local held, late = KEYS[2 * step - 1], KEYS[2 * step]
    local kind, name = ARGV[6 * step - 4], ARGV[6 * step - 3]
    local now = redis.call('HGET', held, (kind == 'c' and 'v' or 's') .. name)
    local life = now and kind == 'c' and redis.call('HGET', held, 'i' .. name) or ''
    if not now or (now == ARGV[6 * step - 1] and life == ARGV[6 * step - 2]) then
        if redis.call('SREM', late, ARGV[6 * step + 1]) == 1 and redis.call('HINCRBY', held, '#', -1) <= 0 then
            redis.call('PEXPIRE', held, ARGV[6 * step])
        end
        answers[step] = '1'
    else
        answers[step] = '0'
    end
end
return answers
