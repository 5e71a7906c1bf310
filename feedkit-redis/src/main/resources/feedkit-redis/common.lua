-- The beginning of all scripts. docs/reference/redis-format.md has the formats.
-- ARGV[1] of every script is the time in milliseconds, or empty for the server's own time.

local FOREVER = 281474976710655

local clock = redis.call('TIME')
local micros = tonumber(clock[1]) * 1000000 + tonumber(clock[2])
local now = ARGV[1] == '' and math.floor(micros / 1000) or tonumber(ARGV[1])

local function timeAt(bytes, place)
    local time = struct.unpack('>I6', bytes, place)
    return time
end

-- The time this many milliseconds from now, as bytes.
local function timeIn(millis)
    return struct.pack('>I6', math.min(now + millis, FOREVER))
end

-- The order of two positions, which is the order of their bytes. Lua's own < depends on the server's locale.
local function compare(a, b)
    if a == b then
        return 0
    end
    local both = math.min(#a, #b)
    local i = 1
    while i + 5 <= both do
        local x, y = timeAt(a, i), timeAt(b, i)
        if x ~= y then
            return x < y and -1 or 1
        end
        i = i + 6
    end
    while i <= both do
        local x, y = a:byte(i), b:byte(i)
        if x ~= y then
            return x < y and -1 or 1
        end
        i = i + 1
    end
    return #a < #b and -1 or 1
end
