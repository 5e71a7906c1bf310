-- What the scripts have in common that are about one log. KEYS begin with: log, fresh, tasks, queue, open, catch-ups.

local LOG, FRESH, TASKS, QUEUE, OPEN, CATCH_UPS = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]

local header = headerOf(LOG, FRESH, TASKS, QUEUE, OPEN, CATCH_UPS)
local time, turn = timesOf(header)

local function newHeader()
    return struct.pack('>BI6I8', 1, time, turn)
end

local function keepHeader()
    redis.call('SET', LOG, newHeader())
end
