-- KEYS: for each step the owner's hash.
-- ARGV: for each step c for a cell or s for a member, the name, and what the source has of a cell: life, last claim,
-- earlier lives with a comma before and behind each. Then the life if a new one begins.
-- Answers for each step with nothing, f while the owner is being forgotten, the member, or a list: life, claim, the sum
-- of the adds, the earlier lives, the mark or nothing.
-- The claim is recorded before anything is written. A life may be an outdated copy if it began on another server, or if
-- the source knows more claims of it, or a later life. Then it is not claimed any more, and a new life begins. So the
-- source sees from the claims which sums do not count.
local function claimed(held, name, life, claim, earlier, new, server)
    local here = redis.call('HGET', held, 'i' .. name)
    if not here then
        return ''
    end
    if redis.call('HGET', held, 'r' .. name) ~= server
        or (here == life and tonumber(redis.call('HGET', held, 'n' .. name) or 0) < tonumber(claim))
        or earlier:find(',' .. here .. ',', 1, true)
    then
        begin(held, name, new, server)
        here = new
    end
    local count = redis.call('HINCRBY', held, 'n' .. name, 1)
    return {
        here,
        tostring(count),
        redis.call('HGET', held, 'a' .. name) or '0',
        redis.call('HGET', held, 'o' .. name) or '',
        redis.call('HGET', held, 'm' .. name) or ''
    }
end

local answers = {}
local server = serverLife()
for step, held in ipairs(KEYS) do
    local first = 6 * step - 4
    local kind, name = ARGV[first], ARGV[first + 1]
    if isBeingForgotten(held) then
        answers[step] = 'f'
    elseif kind == 'c' then
        answers[step] =
            claimed(held, name, ARGV[first + 2], ARGV[first + 3], ARGV[first + 4], ARGV[first + 5], server)
    else
        answers[step] = redis.call('HGET', held, 's' .. name) or ''
    end
end
return answers
