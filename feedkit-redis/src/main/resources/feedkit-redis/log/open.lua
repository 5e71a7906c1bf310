-- Functions shared by the scripts that look for the oldest open task.

-- When the first claimed task of a rank was recorded, if there is one.
local function oldestClaimed(rank)
    local above = string.char(rank:byte() + 1)
    local member = redis.call('ZRANGEBYLEX', OPEN, '[' .. rank, '(' .. above, 'LIMIT', '0', '1')[1]
    return member and timeAt(member, 2)
end

-- When the oldest task was recorded whose post is not visible yet. Fresh tasks are claimed in their order, so no
-- claimed task is newer than a fresh one.
local function oldestInvisible()
    local claimed = oldestClaimed('0')
    if claimed then
        return claimed
    end
    local first = redis.call('LINDEX', FRESH, '0')
    return first and timeAt(first, 1)
end

-- When the oldest task was recorded that is not slow on purpose.
local function oldestOpen()
    local invisible, shown = oldestInvisible(), oldestClaimed('1')
    return invisible and shown and math.min(invisible, shown) or invisible or shown
end
