-- Functions shared by the scripts of the graph. The version of a change is the server's time in microseconds, or the
-- last version plus one if that is higher.

-- The number of a stored version. The version of the format stands before it.
local function numberIn(stored, key)
    local number = stored and stored:match('^1 (%d+)$')
    if stored and not number then
        error('FEEDKITFORMAT not a change of version 1: ' .. key)
    end
    return tonumber(number or 0)
end

local function stored(version)
    return string.format('1 %.0f', version)
end
