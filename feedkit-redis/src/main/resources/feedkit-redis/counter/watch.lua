-- KEYS: for each step the operations of a post, and the cells.
-- ARGV: for each step the letters, a token, the number of names, and the names of cells.
-- Begins a watch of the post with this token, in place of an earlier watch.
-- Answers for each step with the counts of the cells.
local answers = {}
local value = 4
for step = 1, #KEYS / 2 do
    local once, cells = KEYS[2 * step - 1], KEYS[2 * step]
    local names = tonumber(ARGV[value + 2])
    endWatch(once)
    renewWatch(once, ARGV[value + 1])
    local counts = {}
    for name = 1, names do
        counts[name] = optional((cellOf(cells, ARGV[value + 2 + name])))
    end
    answers[step] = table.concat(counts)
    value = value + 3 + names
end
return answers
