-- KEYS: for each step the operations of the owner.
-- ARGV: for each step the letters and a number for the ticket.
-- Answers for each step with the ticket: the number, or a higher one if that ticket is open.
local answers = {}
for step, once in ipairs(KEYS) do
    local ticket = ARGV[3 + 2 * step]
    while isRemembered(once, '\1' .. ticket) do
        local high, low = wordsOf(ticket)
        ticket = bytesOf(sum(high, low, 0, 1))
    end
    remember(once, '\1' .. ticket)
    answers[step] = ticket
end
return answers
