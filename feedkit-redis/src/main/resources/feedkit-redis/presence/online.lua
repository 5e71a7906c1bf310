-- KEYS: for each bucket the readers by the end of their time online, and by when they were last seen.
-- ARGV: time; the place: a time and a reader; how many readers to look at in each bucket.
-- Answers for each bucket with a list: 1 if the bucket has more readers below those it looked at, else 0; the time and
-- the reader of the last one it looked at; then reader and time of each one of them who is online, the latest first.
local at, below, most = ARGV[2], ARGV[3], tonumber(ARGV[4])

-- The rank of the first reader below the place, from the latest on. Readers of one time are in the order of their bytes.
local function first(key)
    local low = redis.call('ZCOUNT', key, '(' .. at, '+inf')
    local high = low + redis.call('ZCOUNT', key, at, at)
    while low < high do
        local middle = math.floor((low + high) / 2)
        if compare(redis.call('ZREVRANGE', key, middle, middle)[1], below) >= 0 then
            low = middle + 1
        else
            high = middle
        end
    end
    return low
end

local answers = {}
for i = 1, #KEYS, 2 do
    local from = first(KEYS[i + 1])
    local looked = redis.call('ZREVRANGE', KEYS[i + 1], from, from + most - 1, 'WITHSCORES')
    local answer = {#looked == 2 * most and 1 or 0, looked[#looked] or '', looked[#looked - 1] or ''}
    for j = 1, #looked, 2 do
        local ends = redis.call('ZSCORE', KEYS[i], looked[j])
        if ends and tonumber(ends) > now then
            answer[#answer + 1] = looked[j]
            answer[#answer + 1] = looked[j + 1]
        end
    end
    answers[#answers + 1] = answer
end
return answers
