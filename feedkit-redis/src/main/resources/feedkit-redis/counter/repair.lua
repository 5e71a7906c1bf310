-- KEYS: for each step the operations of a post, and the cells.
-- ARGV: for each step the letters, the token of the watch, the name of the count, what to add to it, the name of the
-- incarnation and its value when the watch began.
-- Answers for each step whether the count was repaired. It is repaired only if the watch has not ended, so that no
-- other repair came between.
local answers = {}
for step = 1, #KEYS / 2 do
    local once, cells = KEYS[2 * step - 1], KEYS[2 * step]
    local flags, token, name, amount, incarnation, present = unpack(ARGV, 6 * step - 2, 6 * step + 3)
    local count, mark, gaps = cellOf(cells, name)
    local high, low = wordsOf(count)
    high, low = sum(high, low, wordsOf(amount))
    local right = watchOf(once) == '\2' .. token and fits(high) and (cellOf(cells, incarnation)) == present
    if right then
        keepCell(cells, name, bytesOf(high, low), mark, gaps)
        renew(flags, cells)
    end
    answers[step] = right and '1' or '0'
end
return answers
