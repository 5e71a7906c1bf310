-- Functions shared by the scripts of inboxes: the header of an inbox, and its pending follows, which the key "notes"
-- holds.

local FOLLOWEES, FLOOR = 47, 55

-- With a test's clock, the server cannot know when a key expires.
local function expire(key, header)
    if ARGV[1] == '' then
        redis.call('PEXPIREAT', key, timeAt(header, 33))
    end
end

-- The first place from low to high whose entry is at or above a position, or the place after high. The ends come first:
-- most marks are at the newest entry. Then every other step looks where the entry would be if entries were spread evenly
-- over time, and the steps between halve the rest.
local function placeOf(inbox, low, high, position)
    local time = timeAt(position, 1)
    local step, earliest, latest = 0, nil, nil
    while low <= high do
        step = step + 1
        local place
        if step == 1 then
            place = high
        elseif step == 2 then
            place = low
        elseif step % 2 == 1 and earliest < latest then
            place = low + math.floor((high - low) * ((time - earliest) / (latest - earliest)))
        else
            place = math.floor((low + high) / 2)
        end
        local entry = redis.call('LINDEX', inbox, place)
        local at = timeAt(entry, 1)
        if at < time or (at == time and compare(entry, position) < 0) then
            low, earliest = place + 1, at
        else
            high, latest = place - 1, at
        end
    end
    return low
end

local function nibble(record, n)
    local byte = record:byte(math.floor(n / 2) + 1)
    return n % 2 == 0 and math.floor(byte / 16) or byte % 16
end

-- The place of the byte with which the author begins. The time, the characters of the id and a nibble 0 stand before
-- it.
local function authorAt(record)
    -- Bytes of two digits. Most ids begin with such bytes.
    local _, digits = record:find(
        '^[\34-\43\50-\59\66-\75\82-\91\98-\107\114-\123\130-\139\146-\155\162-\171\178-\187]+', 7)
    local n = digits and 2 * digits or 12
    local code = nibble(record, n)
    while code ~= 0 do
        if code == 15 and nibble(record, n + 1) == 15 then
            n = n + 3
        elseif code == 1 or code >= 12 then
            n = n + 2
        else
            n = n + 1
        end
        code = nibble(record, n)
    end
    return math.floor(n / 2) + 2
end

-- The header of an inbox whose window has not ended. If the window has ended, the inbox is closed for good, and removed
-- if the server accepts writes.
local function opened(inbox)
    local header = redis.call('LINDEX', inbox, 0)
    if not header then
        return nil
    end
    if header:sub(1, 2) ~= '\255\1' then
        error('FEEDKITFORMAT not an inbox of version 1: ' .. inbox)
    end
    if timeAt(header, 33) <= now then
        redis.pcall('DEL', inbox)
        return nil
    end
    return header
end

-- Returns the header, the epoch, and whether there are pending follows. If the inbox belongs to other pending follows
-- than the present ones, it has lost a part, and is closed.
local function known(inbox, pendingFollows)
    local header = opened(inbox)
    if header and header:sub(4, 4) == '0' then
        return header, header:sub(13, 20), false
    end
    local epoch = redis.call('HGET', pendingFollows, ' epoch')
    if epoch and epoch:sub(1, 1) ~= '\1' then
        error('FEEDKITFORMAT not pending follows of version 1: ' .. pendingFollows)
    end
    epoch = epoch and epoch:sub(2)
    if header and epoch ~= header:sub(13, 20) then
        redis.pcall('DEL', inbox)
        header = nil
    end
    return header, epoch or nil, epoch ~= false
end

-- Sets the epoch in the header and the pending follows. Without pending follows their key does not exist.
local function setEpoch(inbox, pendingFollows, header, hasPending, epoch)
    if hasPending then
        redis.call('HSET', pendingFollows, ' epoch', '\1' .. epoch)
    end
    if header then
        local flag = hasPending and '1' or '0'
        redis.call('LSET', inbox, 0, header:sub(1, 3) .. flag .. header:sub(5, 12) .. epoch .. header:sub(21))
    end
end

-- Removes the pending follows of some authors. Returns whether others are left.
local function removePendingFollows(pendingFollows, authors)
    redis.call('HDEL', pendingFollows, unpack(authors))
    if redis.call('HLEN', pendingFollows) > 1 then
        return true
    end
    redis.call('DEL', pendingFollows)
    return false
end

-- Replaces an inbox as a whole.
local function rewrite(inbox, header, records)
    redis.call('DEL', inbox)
    redis.call('RPUSH', inbox, header)
    for i = 1, #records, 1000 do
        redis.call('RPUSH', inbox, unpack(records, i, math.min(i + 999, #records)))
    end
    expire(inbox, header)
end
