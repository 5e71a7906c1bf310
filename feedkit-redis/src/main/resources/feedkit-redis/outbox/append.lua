-- KEYS: after those of the log, of each publication: posts, last, head. ARGV: time, then of each: id, time of the post, kind, tail of the task.
-- Answers for each: nothing if it is new, - if it is deleted, the time of the earlier one if there is one.
local NEW, DELETED = '', '-'
local text = string.format('%.0f', time)
local created = bytesOf(time)
local before = counted
local answers = {}
for i = 1, (#ARGV - 1) / 4 do
    local posts, key, arg = KEYS[3 * i + 3], 3 * i + 3, 4 * i - 2
    local id = ARGV[arg]
    local score = redis.call('ZSCORE', posts, id)
    if score then
        answers[i] = score == '-1' and DELETED or score
    else
        add(newId(), '\1' .. ARGV[arg + 2] .. created, '', ARGV[arg + 3])
        redis.call('SET', KEYS[key + 1], text)
        redis.call('DEL', KEYS[key + 2])
        redis.call('ZADD', posts, ARGV[arg + 1], id)
        answers[i] = NEW
    end
end
if counted > before then
    keepHeader()
end
return answers
