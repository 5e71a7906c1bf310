-- KEYS: done and restart after the others.
-- ARGV: time, loss or 0, since, most tasks, the progress of a restart that is not for a loss, or nothing.
-- Answers with the number of finished tasks that were restarted, or -1 if there was nothing left to do, and with the
-- progress of the restart, or nothing at its end.
-- A restart ends when one for a later loss has begun.
-- The script first walks through the unfinished tasks ("T" and a cursor), and then through the finished ones, backwards
-- ("D" and a place). For a loss the key keeps the loss and the progress, so that no task is restarted twice. A finished
-- task that is restarted leaves an empty entry. So entries that are removed meanwhile move others only to places that
-- the walk has not reached yet.
local DONE, RESTART = KEYS[9], KEYS[10]
local loss, since, most = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local progress = ARGV[5]
if loss > 0 then
    local kept = redis.call('GET', RESTART)
    local last = kept and timeAt(kept, 1) or 0
    if last > loss then
        return {-1, ''}
    end
    progress = last == loss and kept:sub(7)
end
if progress == '' and loss > 0 then
    return {-1, ''}
elseif not progress or progress == '' then
    progress = 'T0'
end
local phase, from = progress:sub(1, 1), progress:sub(2)
local restarted = 0

local function restartUnfinished()
    local answer = redis.call('HSCAN', TASKS, from, 'COUNT', most)
    local found = answer[2]
    for i = 1, #found, 2 do
        local id, task = found[i], found[i + 1]
        local lease = task:sub(1, ATTEMPTS - 1)
        local leased = lease ~= NO_LEASE and not hasLoan(task)
        local anew = record(
            leased and NO_LEASE or lease, attemptsOf(task), outageOf(task), headOf(task), '', tailOf(task))
        if leased then
            unqueue(id, task)
            letWait(id, anew, time)
        elseif anew ~= task then
            redis.call('HSET', TASKS, id, anew)
        end
    end
    return answer[1] == '0' and 'D' or 'T' .. answer[1]
end

local function restartFinished()
    local last = tonumber(from) or redis.call('LLEN', DONE) - 1
    local first = math.max(0, last - most + 1)
    local found = last >= 0 and redis.call('LRANGE', DONE, first, last) or {}
    for i = #found, 1, -1 do
        local entry = found[i]
        if entry ~= '' and timeAt(entry, 1) < since then
            return ''
        elseif entry ~= '' and timeAt(entry, 7) > time then
            redis.call('LSET', DONE, first + i - 1, '')
            add(entry:sub(13, 26), headAgain(entry:sub(27, 34)), '', entry:sub(36 + entry:byte(35)))
            restarted = restarted + 1
        end
    end
    return first > 0 and 'D' .. string.format('%.0f', first - 1) or ''
end

if phase == 'T' then
    progress = restartUnfinished()
else
    progress = restartFinished()
end
if loss > 0 then
    redis.call('SET', RESTART, bytesOf(loss) .. progress)
end
keepHeader()
return {restarted, progress}
