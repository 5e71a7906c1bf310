-- The functions that scripts of cached changes share. docs/storage-redis.md has the formats.
-- An owner's hash has fields for a cell: i (the life), n (the number of claims), a (the sum of the adds) and m (the
-- mark). It has the field s for a member. Each letter stands before the name. The field # is the number of pending
-- changes.

-- Records that an item has to be written.
local function isLate(held, late, item)
    if redis.call('SADD', late, item) == 1 then
        redis.call('HINCRBY', held, '#', 1)
        redis.call('PERSIST', held)
    end
end
