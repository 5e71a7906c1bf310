-- KEYS: done after the others.
-- ARGV: time, since, most tasks, the place of the last entry to look at, or nothing.
-- Answers with the number of reopened tasks, and with the next place, or nothing.
-- The script goes backwards. A reopened task leaves an empty entry. So entries that are forgotten meanwhile move others
-- only to places that are still to come.
local DONE, since = KEYS[8], tonumber(ARGV[2])
local last = tonumber(ARGV[4]) or redis.call('LLEN', DONE) - 1
local first = math.max(0, last - tonumber(ARGV[3]) + 1)
local reopened, next = 0, first > 0 and first - 1
local found = last >= 0 and redis.call('LRANGE', DONE, first, last) or {}
for i = #found, 1, -1 do
    local entry = found[i]
    if entry ~= '' and timeAt(entry, 1) < since then
        next = false
        break
    elseif entry ~= '' and timeAt(entry, 7) > time then
        redis.call('LSET', DONE, first + i - 1, '')
        add(entry:sub(13, 26), headAgain(entry:sub(27, 34)), '', entry:sub(36 + entry:byte(35)))
        reopened = reopened + 1
    end
end
if reopened > 0 then
    keepHeader()
end
return {reopened, next and string.format('%.0f', next) or ''}
