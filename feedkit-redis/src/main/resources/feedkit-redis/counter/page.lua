-- KEYS: a set of reactions or announcements, and its order.
-- ARGV: the kind as names begin with it, or nothing, the bound that numbers are below, the most members.
-- Answers with the names and values of the members with the highest numbers, or of all members of a small set.
local set, order, kind = KEYS[1], KEYS[2], ARGV[4]
if redis.call('EXISTS', order) == 0 then
    return redis.call('HGETALL', set)
end
local places = redis.call(
    'ZREVRANGEBYLEX', order, '(' .. kind .. sortable(ARGV[5]), '[' .. kind, 'LIMIT', 0, ARGV[6])
local answers = {}
for i, place in ipairs(places) do
    local name = kind .. place:sub(#kind + 9)
    answers[2 * i - 1], answers[2 * i] = name, redis.call('HGET', set, name)
end
return answers
