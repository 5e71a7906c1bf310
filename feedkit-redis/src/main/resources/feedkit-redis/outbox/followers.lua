-- Whether pushes need a task.
-- KEYS: after those of the log, for each post: posts, last, head. If pushes without followers need no task, then also:
-- pulled, and for each post: followers.

-- Whether the push of a post needs no task: the author has no followers, and is not in the register. (The end of a push
-- removes an author from the register.) A later follower finds the post in the outbox.
local function needsNoTask(i, posts)
    local pulled = KEYS[9 + 3 * posts]
    if not pulled or redis.call('EXISTS', KEYS[9 + 3 * posts + i]) == 1 then
        return false
    end
    -- The keys of a partition begin alike. The author stands behind the kind of the key.
    local author = KEYS[3 * i + 6]:sub(#LOG - #'log' + #'posts:' + 1)
    return redis.call('HEXISTS', pulled, author) == 0
end
