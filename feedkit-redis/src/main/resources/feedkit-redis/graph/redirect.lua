-- KEYS: for each edge the followees and the edges of the reader.
-- ARGV: the time, and for each edge its author and the other author.
-- Answers for each edge with two answers as of a change: of the edge, and of the edge to the other author.
local answers = {}
for i = 1, #KEYS / 2 do
    local followees, edges = KEYS[2 * i - 1], KEYS[2 * i]
    local author, other = ARGV[2 * i], ARGV[2 * i + 1]
    local removed, from = write(followees, edges, '-', author, 0)
    local _, to = write(followees, edges, removed == 1 and '+' or '=', other, 0)
    answers[i] = { from, to }
end
return answers
