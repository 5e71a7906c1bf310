-- KEYS: done after the others. ARGV: time, since, most, place of the last to be looked at or nothing. Answers how many were reopened, and the place of the next or nothing.
-- Goes back from the last. A reopened task leaves an empty place, so what is forgotten meanwhile moves others to places that are still to come.
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
