-- What the scripts of the log have in common. KEYS begin with: log, fresh, tasks, queue, open, catch-ups.
-- The header is: version, the log's time, the last turn.

local LOG, FRESH, TASKS, QUEUE, OPEN, CATCH_UPS = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]

local header = redis.pcall('GET', LOG)
if header and (type(header) ~= 'string' or header:byte(1) ~= 1 or #header ~= 15) then
    error('FEEDKITFORMAT not a log of version 1: ' .. LOG)
elseif not header and redis.call('EXISTS', FRESH, TASKS, QUEUE, OPEN, CATCH_UPS) > 0 then
    error('FEEDKITFORMAT a log without a header: ' .. LOG)
end

-- The clock's time, unless that was set back.
local time, turn = now, micros
if header then
    local keptTime, keptTurn = struct.unpack('>I6I8', header, 2)
    time, turn = math.max(now, keptTime), math.max(micros, keptTurn + 1)
end

local function bytesOf(millis)
    return struct.pack('>I6', math.min(millis, FOREVER))
end

local function newHeader()
    return struct.pack('>BI6I8', 1, time, turn)
end

local function keepHeader()
    redis.call('SET', LOG, newHeader())
end
