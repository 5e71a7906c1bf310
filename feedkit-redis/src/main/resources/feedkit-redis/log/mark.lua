-- ARGV: time. Answers with a time before which no open task was recorded.
-- The answer is kept, so that no later task is recorded before it. It is not written at every call. A server that
-- refuses writes answers with the kept time.
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
