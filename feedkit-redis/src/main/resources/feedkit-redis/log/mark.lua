-- ARGV: time. Answers a time before which no task was recorded that is open.
-- The time that is given out is kept, so that no task is recorded before it later on; but not at every look.
local STALE = 100
local oldest = oldestOpen()
if oldest then
    return oldest
end
if header and time - timeAt(header, 2) < STALE then
    return timeAt(header, 2)
end
keepHeader()
return time
