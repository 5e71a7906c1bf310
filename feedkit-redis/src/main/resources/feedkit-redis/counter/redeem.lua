-- KEYS: for each step the operations of the owner, the cells, and for each change with a list the list.
-- ARGV: for each step the letters (i with a condition), the ticket, the name of a sequence and its count that is the
-- condition, the number of changes, and for each change the name of the sequence, the amount, how many names the list
-- keeps (0 without a list), and the name in the list.
-- Answers for each step whether the ticket was open.
local key, value = 0, 3

local function nextKey()
    key = key + 1
    return KEYS[key]
end

local function nextValue()
    value = value + 1
    return ARGV[value]
end

local function add(flags, cells, name, amountHigh, amountLow)
    local count, mark, gaps = cellOf(cells, name)
    local high, low = wordsOf(count)
    high, low = sum(high, low, amountHigh, amountLow)
    if fits(high) then
        keepCell(cells, name, bytesOf(high, low), mark, gaps)
        renew(flags, cells)
    end
end

local answers = {}
while value < #ARGV do
    local flags, once, cells = nextValue(), nextKey(), nextKey()
    local ticket = '\1' .. nextValue()
    local open = isRemembered(once, ticket)
    open = redis.call('ZREM', once, ticket) == 1 and open
    local counts = open
    if has(flags, 'i') then
        local name, expected = nextValue(), nextValue()
        counts = open and (cellOf(cells, name)) == expected
    end
    local watched = counts and watchOf(once)
    for _ = 1, tonumber(nextValue()) do
        local name, high, low = nextValue(), wordsOf(nextValue())
        local keeps, listed = tonumber(nextValue()), nextValue()
        local list = keeps > 0 and nextKey() or nil
        if counts then
            add(flags, cells, name, high, low)
        end
        if watched and listed == '' then
            -- The repair cannot know which user was counted.
            endWatch(once)
            watched = nil
        elseif watched then
            local user = string.char(#name) .. name .. string.char(#listed) .. listed
            redis.call('ZADD', once, 'NX', high >= 0 and -2 or -1, '\3' .. user)
        end
        if counts and list then
            redis.call('LREM', list, 0, listed)
            if high >= 0 then
                redis.call('LPUSH', list, listed)
                redis.call('LTRIM', list, 0, keeps - 1)
            end
        end
    end
    answers[#answers + 1] = open and '1' or '0'
end
return answers
