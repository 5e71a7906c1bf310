-- Functions shared by the scripts about members of sets.

-- The three parts of a member's value: the first byte without the number's length (at least 128 if the member is
-- settled), the number, and the rest. The first part without 128 and the rest are the label.
local function partsOf(member)
    local head = member:byte()
    local length = head % 16
    return head - length, member:sub(2, 1 + length), member:sub(2 + length)
end

local function sortable(number)
    local high, low = wordsOf(number)
    return struct.pack('>I4I4', high + HALF, low)
end

-- The member of the order, which sorts by numbers. In a set of reactions, the kind comes first: it ends with the first
-- slash, or is a byte as in MemberCodec.java.
local function placeOf(flags, number, name)
    local kind = has(flags, 'l') and (name:match('^\1') or name:match('^[^/]*/')) or ''
    return kind .. sortable(number) .. name:sub(#kind + 1)
end

-- A set of reactions has no order while it is small, because a reader sorts it as fast.
local LARGE = 512

-- Whether the members of a set have an order. A set of reactions gets it when it has become large.
local function isOrdered(flags, set, order)
    if not order then
        return false
    end
    if has(flags, 'c') or redis.call('EXISTS', order) == 1 then
        return true
    end
    if redis.call('HLEN', set) <= LARGE then
        return false
    end
    local members = redis.call('HGETALL', set)
    for i = 1, #members, 2 do
        local _, number = partsOf(members[i + 1])
        redis.call('ZADD', order, 0, placeOf(flags, number, members[i]))
    end
    return true
end

-- Puts a member, or replaces the member of the same name.
local function keepMember(flags, set, order, name, before, head, number, text)
    local member = string.char(head + #number) .. number .. text
    redis.call('HSET', set, name, member)
    if isOrdered(flags, set, order) then
        if before then
            local _, old = partsOf(before)
            redis.call('ZREM', order, placeOf(flags, old, name))
        end
        redis.call('ZADD', order, 0, placeOf(flags, number, name))
    end
    return member
end

local function removeMember(flags, set, order, name, member)
    redis.call('HDEL', set, name)
    if order then
        local _, number = partsOf(member)
        redis.call('ZREM', order, placeOf(flags, number, name))
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
    return (has(flags, 'c') or has(flags, 'l')) and nextKey() or nil
end
