-- KEYS: for each step the owner's hash.
-- ARGV: for each step c for a cell or s for a member, the name, and what the source has of a cell: life, last claim,
-- amount.
-- Answers for each step with nothing, the member, or a list: life, claim, the sum of the adds, the mark or nothing.
-- The claim is recorded before anything is written. If the source knows of a claim that is not known here, this server
-- is a replica that was behind. Then the adds since cannot be told from those that were written. They are dropped, and
-- the sum continues from that of the source.
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
