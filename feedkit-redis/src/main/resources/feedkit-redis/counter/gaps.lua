-- Functions shared by the scripts about amounts that were retracted from sequences. A gap is the count at its end and
-- its amount, each behind a byte with its length. The gaps of a cell are in the order of their ends.

-- The most gaps of a cell, as in Gaps.java.
local MOST_GAPS = 64

local function gapOf(last, amount)
    return string.char(#last) .. last .. string.char(#amount) .. amount
end

-- The next gap: its end, its amount, and where the one after it begins.
local function gapAt(gaps, place)
    local amount = place + 1 + gaps:byte(place)
    local after = amount + 1 + gaps:byte(amount)
    return gaps:sub(place + 1, amount - 1), gaps:sub(amount + 1, after - 1), after
end

-- Removes the amounts that operations on a cell added, so that they cannot be retracted. They may be kept longer than
-- the cell.
local function forgetAdded(taken, name)
    for _, operation in ipairs(redis.call('HKEYS', taken)) do
        if operation:match('^(.*) ') == name then
            redis.call('HDEL', taken, operation)
        end
    end
end

-- Returns the gaps without those up to a mark.
local function gapsAbove(gaps, high, low)
    local place = 1
    while place <= #gaps do
        local last, _, after = gapAt(gaps, place)
        local lastHigh, lastLow = wordsOf(last)
        if isAbove(lastHigh, lastLow, high, low) then
            break
        end
        place = after
    end
    return gaps:sub(place)
end

local function sumOf(bytes, others)
    local high, low = wordsOf(bytes)
    return bytesOf(sum(high, low, wordsOf(others)))
end

-- Adds a gap, and joins it with adjacent gaps.
local function withGap(gaps, last, amount)
    local all, place = {}, 1
    while place <= #gaps do
        local nextLast, nextAmount, after = gapAt(gaps, place)
        if sumOf(nextLast, amount) == last then
            amount = sumOf(nextAmount, amount)
        elseif sumOf(last, nextAmount) == nextLast then
            last, amount = nextLast, sumOf(nextAmount, amount)
        else
            all[#all + 1] = { nextLast, nextAmount }
        end
        place = after
    end
    local high, low = wordsOf(last)
    local at = 1
    while all[at] do
        local nextHigh, nextLow = wordsOf(all[at][1])
        if isAbove(nextHigh, nextLow, high, low) then
            break
        end
        at = at + 1
    end
    table.insert(all, at, { last, amount })
    if #all > MOST_GAPS then
        local first, second = table.remove(all, 1), all[1]
        all[1] = { sumOf(first[1], second[2]), sumOf(first[2], second[2]) }
    end
    local text = {}
    for i, gap in ipairs(all) do
        text[i] = gapOf(gap[1], gap[2])
    end
    return table.concat(text)
end
