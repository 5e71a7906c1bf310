-- KEYS: for each edge the followees and the edges of the reader.
-- ARGV: the time, and for each edge + (add it), - (remove it) or = (leave it as it is), the author, and the version to
-- exceed.
-- Answers for each edge with three flags, 1 or 0 (changed; exists now; an earlier change may be under way), and the
-- version.
local answers = {}
for i = 1, #KEYS / 2 do
    local aim, author, above = ARGV[3 * i - 1], ARGV[3 * i], tonumber(ARGV[3 * i + 1])
    local _, answer = write(KEYS[2 * i - 1], KEYS[2 * i], aim, author, above)
    answers[i] = answer
end
return answers
