-- KEYS: inbox, pending follows.
-- ARGV: the time, the token, and for each author: the id, and the author as at the end of an entry.
-- Answers with 1, or with 0 if the token is not valid for all authors.
local inbox, pendingFollows, token = KEYS[1], KEYS[2], ARGV[2]

local header, epoch, hasPending = known(inbox, pendingFollows)
epoch = epoch or string.rep('\0', 8)
local unwanted, last, all = {}, nil, 1
for i = 3, #ARGV, 2 do
    local pending = hasPending and redis.call('HGET', pendingFollows, ARGV[i])
    if (pending or epoch) == token then
        unwanted[ARGV[i + 1]] = true
        last = ARGV[i + 1]
    else
        all = 0
    end
end
if not header or not last then
    return all
end
-- With one author, the end of most entries shows that they are another author's.
local only = next(unwanted) == last and not next(unwanted, last) and last
local records = redis.call('LRANGE', inbox, 1, -1)
local kept = {}
for _, record in ipairs(records) do
    local may = not only or record:sub(-#only) == only
    if not (may and unwanted[record:sub(authorAt(record))]) then
        kept[#kept + 1] = record
    end
end
if #kept < #records then
    rewrite(inbox, header, kept)
end
return all
