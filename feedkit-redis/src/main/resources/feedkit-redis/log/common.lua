-- Functions shared by the scripts about one log. KEYS begin with: log, fresh, tasks, queue, open, catch-ups, held,
-- lent.

local LOG, FRESH, TASKS, QUEUE, OPEN, CATCH_UPS, HELD, LENT = unpack(KEYS, 1, 8)

local header = headerOf(LOG, FRESH, TASKS, QUEUE, OPEN, CATCH_UPS, HELD, LENT)
local time, turn = timesOf(header)

-- The id of a new task.
local function nextId()
    turn = turn + 1
    return LOG:sub(-6, -6) .. string.format('%013x', turn)
end

local function newHeader()
    return struct.pack('>BI6I8', 1, time, turn)
end

local function keepHeader()
    redis.call('SET', LOG, newHeader())
end
