-- KEYS: for each step what is done once. For each step in ARGV: letters, ticket. Answers for each step nothing of interest.
local answers = {}
for step, once in ipairs(KEYS) do
    remember(once, '\1' .. ARGV[3 + 2 * step])
    answers[step] = ''
end
return answers
