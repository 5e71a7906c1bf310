-- KEYS: after those of the log: register, retracting, then for each post: posts, head.
-- ARGV: time, token, the tail of the tasks up to the time, then for each post: id, entry, the tail after the time.
-- Answers for each with 1 if the post existed, else with 0. Inboxes may hold a post that the outbox does not have; the
-- task of its retraction has Position.UNKNOWN_TIME.
local UNKNOWN_TIME = 253402300800000
local answers, changes = {}, {}
for i = 1, (#ARGV - 3) / 3 do
    local key, arg = 2 * i + 9, 3 * i + 1
    local posts, id = KEYS[key], ARGV[arg]
    local score = redis.call('ZSCORE', posts, id)
    if score ~= '-1' then
        redis.call('ZADD', KEYS[10], '0', ARGV[arg + 1])
        changes[#changes + 1] = ARGV[2] .. 'D' .. ARGV[arg + 1]
        addNew('R', ARGV[3] .. bytesOf(score and tonumber(score) or UNKNOWN_TIME) .. ARGV[arg + 2])
        redis.call('DEL', KEYS[key + 1])
        keepHeader()
        redis.call('ZADD', posts, '-1', id)
    end
    answers[i] = score and score ~= '-1' and '1' or '0'
end
log(KEYS[9], changes)
return table.concat(answers)
