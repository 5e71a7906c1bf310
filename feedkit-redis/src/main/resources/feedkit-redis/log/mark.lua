-- ARGV: time. Answers a time before which every task was recorded that is finished or was never there.
-- The time that is given out is kept, so that no task is recorded before it later on; but not at every look.
local STALE = 100
local oldest = redis.call('ZRANGE', OPEN, '0', '0')[1]
if oldest then
    return timeAt(oldest, 1)
end
if header and time - timeAt(header, 2) < STALE then
    return timeAt(header, 2)
end
keepHeader()
return time
