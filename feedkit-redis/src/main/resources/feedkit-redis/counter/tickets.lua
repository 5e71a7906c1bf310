-- KEYS: for each step the operations of a post.
-- ARGV: for each step the letters and a ticket.
-- Answers for each step whether the ticket is open.
local answers = {}
for step, once in ipairs(KEYS) do
    answers[step] = isRemembered(once, '\1' .. ARGV[3 + 2 * step]) and '1' or '0'
end
return answers
