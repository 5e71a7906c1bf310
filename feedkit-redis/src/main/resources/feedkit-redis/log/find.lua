-- KEYS: dead after the others.
-- ARGV: time, F (fresh tasks), T (tasks that were claimed before) or D (dead letters), where to begin, how many to look
-- at, an author as at the end of a position.
-- Answers with the place where to continue, or '', and then with three values for each task of the author. Fresh tasks
-- are looked at from the last one backwards. So a task that is claimed meanwhile is seen there, or later in the hash,
-- where every task stays until it is finished.
local DEAD, PLACE, MOST_HELD = KEYS[9], 28, 1000
local from, most, author = ARGV[3], tonumber(ARGV[4]), ARGV[5]
local answer = {''}

local function isWanted(found)
    return found:sub(-#author) == author
end

local function add(first, second, third)
    local n = #answer
    answer[n + 1], answer[n + 2], answer[n + 3] = first, second, third
end

-- When a waiting task that was claimed before is due, as bytes: if it is not among the first ones held back, now.
local function dueOf(id)
    for _, place in ipairs(redis.call('ZRANGEBYLEX', HELD, '[' .. bytesOf(time + 1), '+', 'LIMIT', '0', MOST_HELD)) do
        if place:sub(15) == id then
            return place:sub(1, 6)
        end
    end
    return bytesOf(time)
end

if ARGV[2] == 'F' then
    local seen = tonumber(from)
    local elements = redis.call('LRANGE', FRESH, -(seen + most), -(seen + 1))
    for _, element in ipairs(elements) do
        if isWanted(element) then
            local found = NO_LEASE .. '\0\0' .. NO_OUTAGE .. element:sub(PLACE + 1)
            add(element:sub(15, PLACE), found, 'W' .. element:sub(1, 6))
        end
    end
    answer[1] = #elements == most and string.format('%d', seen + most) or ''
elseif ARGV[2] == 'T' then
    local step = redis.call('HSCAN', TASKS, from, 'COUNT', most)
    for i = 1, #step[2], 2 do
        local id, found = step[2][i], step[2][i + 1]
        if isWanted(found) then
            if timeAt(found, 1) > time then
                add(id, found, (hasLoan(found) and 'B' or 'L') .. found:sub(1, 6))
            else
                add(id, found, 'W' .. dueOf(id))
            end
        end
    end
    answer[1] = step[1] ~= '0' and step[1] or ''
else
    local after = from == '' and '-' or '(' .. from
    local letters = redis.call('ZRANGEBYLEX', DEAD, after, '+', 'LIMIT', '0', most)
    for _, letter in ipairs(letters) do
        if isWanted(letter) then
            add(letter, '', '')
        end
    end
    answer[1] = #letters == most and letters[#letters] or ''
end
return answer
