-- The header of a log: version, the log's time, the last turn.

-- The header, if there is a log. A key without a header, or with another one, is not changed.
local function headerOf(log, ...)
    local header = redis.pcall('GET', log)
    if header and (type(header) ~= 'string' or header:byte(1) ~= 1 or #header ~= 15) then
        error('FEEDKITFORMAT not a log of version 1: ' .. log)
    elseif not header and redis.call('EXISTS', ...) > 0 then
        error('FEEDKITFORMAT a log without a header: ' .. log)
    end
    return header
end

-- The time and the turn of the clock, or those of the header if they are later.
local function timesOf(header)
    if not header then
        return now, micros
    end
    local keptTime, keptTurn = struct.unpack('>I6I8', header, 2)
    return math.max(now, keptTime), math.max(micros, keptTurn + 1)
end

local function bytesOf(millis)
    return struct.pack('>I6', math.min(millis, FOREVER))
end

-- How many loans have not run out.
local function runningLoans(lent, time)
    return redis.call('ZLEXCOUNT', lent, '[' .. bytesOf(time + 1), '+')
end
