-- KEYS: of each partition: register, pulled, retracting.
-- ARGV: time, then of each partition: the token of the last known change, or - for none; the number of authors;
-- authors.
-- Answers of each partition: 0 if nothing has changed and there are no authors. Otherwise the token of the last change;
-- how much is registered, or 0 if the changes are known; the number of changes since, or -1 if they are not known, and
-- the changes; the number of authors, and of each the entry, or nothing; the number of posts of these authors that are
-- being retracted, and the posts. The answer is one flat list: Redis 6 writes each list within a list to the socket by
-- itself.
local answers, arg = {}, 2

local function answer(values)
    answers[#answers + 1] = #values
    for i = 1, #values do
        answers[#answers + 1] = values[i]
    end
end

-- The changes after the last one with a token.
local function changesSince(register, token)
    local length = 16
    while true do
        local latest = redis.call('LRANGE', register, -length, -1)
        for i = #latest, 1, -1 do
            if latest[i]:sub(1, 8) == token then
                local changes = {}
                for j = i + 1, #latest do
                    changes[#changes + 1] = latest[j]
                end
                return changes
            end
        end
        if #latest < length then
            return '-'
        end
        length = length * 4
    end
end

-- What one partition answers.
local function part(register, pulled, retracting, known, authors)
    local latest = redis.call('LINDEX', register, -1)
    local token = latest and latest:sub(1, 8) or ''
    if token == known and #authors == 0 then
        answers[#answers + 1] = 0
        return
    end
    local changes = '-'
    if token == known then
        changes = {}
    elseif known == '' and redis.call('LLEN', register) < KEPT then
        -- There were no changes at that time, and none has been trimmed since.
        changes = redis.call('LRANGE', register, 0, -1)
    elseif known ~= '-' and known ~= '' then
        changes = changesSince(register, known)
    end
    local retractions = (changes == '-' or #authors > 0) and redis.call('ZCARD', retracting) or 0
    local entries, posts = {}, {}
    for i, author in ipairs(authors) do
        entries[i] = redis.call('HGET', pulled, author) or ''
        if retractions > 0 then
            for _, post in ipairs(redis.call('ZRANGEBYLEX', retracting, '[' .. author .. ' ', '(' .. author .. '!')) do
                posts[#posts + 1] = post
            end
        end
    end
    answers[#answers + 1] = token
    if changes == '-' then
        answers[#answers + 1] = redis.call('HLEN', pulled) + retractions
        answers[#answers + 1] = -1
    else
        answers[#answers + 1] = 0
        answer(changes)
    end
    answer(entries)
    answer(posts)
end

for key = 1, #KEYS, 3 do
    local count = tonumber(ARGV[arg + 1])
    local authors = {unpack(ARGV, arg + 2, arg + 1 + count)}
    part(KEYS[key], KEYS[key + 1], KEYS[key + 2], ARGV[arg], authors)
    arg = arg + 2 + count
end
return answers
