-- KEYS: for each step what is held of the owner. For each step in ARGV: c for a cell and s for a member, name, of a cell what the source has: life, up to which claim, and how much.
-- Answers for each step nothing, the member, or a list: life, claim, what was added, mark or nothing.
-- The claim is noted before anything is written: where the source knows of a claim that is not known here, this is a replica that was behind. What was added there since cannot be told from what
-- is written, and is dropped: it goes on from what the source has.
local function claimed(held, name, life, claim, amount)
    local here = redis.call('HGET', held, 'i' .. name)
    if not here then
        return ''
    end
    if here == life and tonumber(redis.call('HGET', held, 'n' .. name) or 0) < tonumber(claim) then
        redis.call('HSET', held, 'n' .. name, claim, 'a' .. name, amount)
    end
    local count = redis.call('HINCRBY', held, 'n' .. name, 1)
    return {
        here,
        tostring(count),
        redis.call('HGET', held, 'a' .. name) or '0',
        redis.call('HGET', held, 'm' .. name) or ''
    }
end

local answers = {}
for step, held in ipairs(KEYS) do
    local kind, name = ARGV[5 * step - 3], ARGV[5 * step - 2]
    if kind == 'c' then
        answers[step] = claimed(held, name, ARGV[5 * step - 1], ARGV[5 * step], ARGV[5 * step + 1])
    else
        answers[step] = redis.call('HGET', held, 's' .. name) or ''
    end
end
return answers
