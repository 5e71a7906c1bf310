-- ARGV: time, the most recent posts to cache, the kind of the tasks (I, or M for pulls), the beginning of their tails,
-- then for each post: id, time of the post, position. Answers as append.lua.
local answers, spans, authors, last, heads, added = {}, {}, {}, {}, {}, {}
local failure
local text = string.format('%.0f', time)
local posts = (#ARGV - 4) / 3
local kind, start = ARGV[3], ARGV[4]

local function widen(i, position)
    local author = KEYS[3 * i + 6]
    local span = spans[author]
    if not span then
        spans[author] = {oldest = position, newest = position}
        authors[#authors + 1] = {place = i, span = spans[author]}
    elseif compare(position, span.oldest) < 0 then
        span.oldest = position
    elseif compare(position, span.newest) > 0 then
        span.newest = position
    end
end

for i = 1, posts do
    local key, arg = 3 * i + 6, 3 * i + 2
    local isNew = redis.pcall('ZADD', KEYS[key], 'NX', ARGV[arg + 1], ARGV[arg])
    if isNew == 1 then
        widen(i, ARGV[arg + 2])
        local n = #added
        last[2 * n + 1], last[2 * n + 2] = KEYS[key + 1], text
        heads[n + 1], added[n + 1] = KEYS[key + 2], i
        answers[i] = ''
    elseif isNew == 0 then
        local score = redis.call('ZSCORE', KEYS[key], ARGV[arg])
        answers[i] = score == '-1' and '-' or score
    else
        failure = KEYS[key] .. ': ' .. isNew.err
        break
    end
end
-- This happens after a failure as well: no post may lack the task that it needs.
for _, author in ipairs(authors) do
    local oldest, newest = author.span.oldest, author.span.newest
    if kind == 'M' and oldest == newest then
        addNew('l', start .. newest)
    elseif kind == 'M' or not needsNoTask(author.place, posts) then
        addNew(kind, start .. string.char(#oldest) .. oldest .. newest)
    end
end
if #added > 0 then
    redis.call('MSET', unpack(last))
    keepHeader()
    -- Most authors have no cached posts, so one check is enough for all.
    if redis.call('EXISTS', unpack(heads)) > 0 then
        for n, i in ipairs(added) do
            takeIn(heads[n], tonumber(ARGV[3 * i + 3]), ARGV[3 * i + 2], tonumber(ARGV[2]))
        end
    end
end
if failure then
    error(failure)
end
return answers
