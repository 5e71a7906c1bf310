-- KEYS: for each step the cells, and the amounts that operations on them added.
-- ARGV: for each step the letters, and the name.
-- The answers have no meaning.
local answers = {}
for step = 1, #KEYS / 2 do
    local cells, taken = KEYS[2 * step - 1], KEYS[2 * step]
    local name = ARGV[3 + 2 * step]
    redis.call('HDEL', cells, name)
    forgetAdded(taken, name)
    answers[step] = ''
end
return answers
