-- Functions shared by the scripts of ranked orders. A reader's key is a hash: a field for each snapshot, by its name,
-- and a field with the list of them, the newest first.

local LIST, NAME, ENTRY = ' list', 16, 22

-- The names of a reader's snapshots, each with the time when it ends.
local function listed(key)
    local list = redis.call('HGET', key, LIST)
    if list and list:sub(1, 1) ~= '\1' then
        error('FEEDKITFORMAT not ranked orders of version 1: ' .. key)
    end
    return list and list:sub(2) or ''
end
