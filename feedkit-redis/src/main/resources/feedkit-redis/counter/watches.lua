-- A repair watches posts. The watch is among the operations of the post, with the time at which it ends as a score
-- below zero. Beside it is the first change by each user since: the score is -2 if the user was added, -1 if removed.

-- How long a watch lasts after a walk of the repair, in case its process died.
local WATCHED = 3600000

local function renewWatch(once, token)
    redis.call('ZADD', once, -(now + WATCHED), '\2' .. token)
    keepAtLeast(once, WATCHED)
end

local function endWatch(once)
    redis.call('ZREMRANGEBYSCORE', once, '-inf', '(0')
end

-- The watch of a post, if there is one.
local function watchOf(once)
    local watch = redis.call('ZRANGEBYSCORE', once, '-inf', '(-2', 'LIMIT', 0, 1, 'WITHSCORES')
    if watch[1] and -tonumber(watch[2]) <= now then
        endWatch(once)
        return nil
    end
    return watch[1]
end
