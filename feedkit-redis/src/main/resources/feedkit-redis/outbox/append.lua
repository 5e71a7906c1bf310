-- KEYS: after those of the log, of each publication: posts, last, head. ARGV: time, then of each: id, time of the post, kind, tail of the task.
-- Answers for each: nothing if it is new, - if it is deleted, the time of the earlier one if there is one.
local answers, fresh, last, heads = {}, {}, {}, {}
local failure
local text = string.format('%.0f', time)
for i = 1, (#ARGV - 1) / 4 do
    local key, arg = 3 * i + 4, 4 * i - 2
    local posts, id = KEYS[key], ARGV[arg]
    local added = redis.pcall('ZADD', posts, 'NX', ARGV[arg + 1], id)
    if added == 1 then
        local n = #fresh
        fresh[n + 1] = newTask(ARGV[arg + 2], ARGV[arg + 3])
        last[2 * n + 1], last[2 * n + 2] = KEYS[key + 1], text
        heads[n + 1] = KEYS[key + 2]
        answers[i] = ''
    elseif added == 0 then
        local score = redis.call('ZSCORE', posts, id)
        answers[i] = score == '-1' and '-' or score
    else
        failure = posts .. ': ' .. added.err
        break
    end
end
-- Also after a failure: no post may be without a task.
if #fresh > 0 then
    redis.call('RPUSH', FRESH, unpack(fresh))
    redis.call('MSET', unpack(last))
    redis.call('DEL', unpack(heads))
    keepHeader()
end
if failure then
    error(failure)
end
return answers
