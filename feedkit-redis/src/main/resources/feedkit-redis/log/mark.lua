-- ARGV: time. Answers a time before which no task was recorded that is open.
-- The time that is given out is kept, so that no task is recorded before it later on; but not at every look. A server that refuses writes gives out the one that it has.
local STALE = 100
local oldest = oldestOpen()
if oldest then
    return oldest
end
local kept = header and timeAt(header, 2) or 0
if time - kept < STALE or redis.pcall('SET', LOG, newHeader()).err then
    return kept
end
return time
