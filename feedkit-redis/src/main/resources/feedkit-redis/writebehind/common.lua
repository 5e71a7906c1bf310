-- What the scripts of late changes have in common. docs/storage-redis.md has the formats.
-- Of a cell an owner's hash has i (the life), n (how often it was read to be written), a (what was added) and m (the mark), of a member s, each before its name; and under # how many of all those
-- are late.

-- Notes that something has to be written.
local function isLate(held, late, item)
    if redis.call('SADD', late, item) == 1 then
        redis.call('HINCRBY', held, '#', 1)
        redis.call('PERSIST', held)
    end
end
