-- ARGV: time, the most recent posts to cache, then for each publication: id, time of the post, kind, tail of the task.
-- Answers for each with nothing if the post is new, - if it is deleted, or the time of the earlier post if there is
-- one.
local answers, fresh, last, heads, added = {}, {}, {}, {}, {}
local failure
local text = string.format('%.0f', time)
local publications = (#ARGV - 2) / 4

for i = 1, publications do
    local key, arg = 3 * i + 6, 4 * i - 1
    local posts, id = KEYS[key], ARGV[arg]
    local isNew = redis.pcall('ZADD', posts, 'NX', ARGV[arg + 1], id)
    if isNew == 1 then
        if ARGV[arg + 2] == 'A' then
            addNew('A', ARGV[arg + 3])
        elseif ARGV[arg + 2] ~= 'P' or not needsNoTask(i, publications) then
            fresh[#fresh + 1] = newTask(ARGV[arg + 2], ARGV[arg + 3])
        end
        local n = #added
        last[2 * n + 1], last[2 * n + 2] = KEYS[key + 1], text
        heads[n + 1], added[n + 1] = KEYS[key + 2], i
        answers[i] = ''
    elseif isNew == 0 then
        local score = redis.call('ZSCORE', posts, id)
        answers[i] = score == '-1' and '-' or score
    else
        failure = posts .. ': ' .. isNew.err
        break
    end
end
-- This happens after a failure as well: no post may lack the task that it needs.
if #fresh > 0 then
    redis.call('RPUSH', FRESH, unpack(fresh))
end
if #added > 0 then
    redis.call('MSET', unpack(last))
    keepHeader()
    -- Most authors have no cached posts, so one check is enough for all.
    if redis.call('EXISTS', unpack(heads)) > 0 then
        for n, i in ipairs(added) do
            takeIn(heads[n], tonumber(ARGV[4 * i]), ARGV[4 * i - 1], tonumber(ARGV[2]))
        end
    end
end
if failure then
    error(failure)
end
return answers
