-- The functions that scripts about members of sets share.

-- The three parts of a member's value: the first byte without the number's length (at least 128 if the member is
-- settled), the number, and the rest. The first part without 128 and the rest are the label.
local function partsOf(member)
    local head = member:byte()
    local length = head % 16
    return head - length, member:sub(2, 1 + length), member:sub(2 + length)
end

-- The member of the order, which sorts by numbers.
local function placeOf(number, name)
    local high, low = wordsOf(number)
    return struct.pack('>I4I4', high + HALF, low) .. name
end

-- Puts a member, or replaces the member of the same name. The order is that of a conversation.
local function keepMember(set, order, name, before, head, number, text)
    local member = string.char(head + #number) .. number .. text
    redis.call('HSET', set, name, member)
    if order then
        if before then
            local _, old = partsOf(before)
            redis.call('ZREM', order, placeOf(old, name))
        end
        redis.call('ZADD', order, 0, placeOf(number, name))
    end
    return member
end

local function removeMember(set, order, name, member)
    redis.call('HDEL', set, name)
    if order then
        local _, number = partsOf(member)
        redis.call('ZREM', order, placeOf(number, name))
    end
end

local key, value = 0, 3

local function nextKey()
    key = key + 1
    return KEYS[key]
end

local function nextValue()
    value = value + 1
    return ARGV[value]
end

local function nextOrder(flags)
    return has(flags, 'c') and nextKey() or nil
end
