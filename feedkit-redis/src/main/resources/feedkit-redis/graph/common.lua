-- What the scripts of the graph have in common: versions of changes, which are the server's microseconds, or the next numbers if those are not above the last.

-- The number in what is stored as a version, behind that of the format.
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
