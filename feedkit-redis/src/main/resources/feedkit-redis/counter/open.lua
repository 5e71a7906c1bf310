-- KEYS: for each step the operations of the owner.
-- ARGV: for each step the letters and the ticket.
-- The answers have no meaning.
local answers = {}
for step, once in ipairs(KEYS) do
    remember(once, '\1' .. ARGV[3 + 2 * step])
    answers[step] = ''
end
return answers
