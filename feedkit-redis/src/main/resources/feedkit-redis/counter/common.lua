-- The functions that all scripts of counters share. docs/reference/redis-format.md has the formats.
-- ARGV of every script: the time, how long operations are kept, how long idle users are kept, and then the arguments of
-- each step. They begin with letters: e for data that expire with an idle user, c for a conversation, and others that
-- the script names.
-- Numbers have 64 bits, which Lua's numbers cannot hold. A script computes with two words. Arguments, keys and answers
-- are bytes without leading zeros.

local kept, idle, servers = tonumber(ARGV[2]), ARGV[3], ARGV[1] == ''
local WORD, HALF = 4294967296, 2147483648
local ZEROS = ('\0'):rep(8)

-- Most numbers are small. For those this is twice as fast.
local function wordsOf(bytes)
    local length = #bytes
    if length < 4 then
        local a, b, c = bytes:byte(1, 3)
        return 0, length == 1 and a or length == 2 and a * 256 + b or length == 3 and (a * 256 + b) * 256 + c or 0
    end
    local high, low = struct.unpack('>i4I4', ZEROS:sub(length + 1) .. bytes)
    return high, low
end

local function bytesOf(high, low)
    if high == 0 and low < 65536 then
        local last = low % 256
        return low == 0 and '' or low < 256 and string.char(last) or string.char((low - last) / 256, last)
    end
    return (struct.pack('>i4I4', high, low):gsub('^%z+', ''))
end

-- A sum. If it does not fit, its high word is out of bounds.
local function sum(high, low, otherHigh, otherLow)
    low = low + otherLow
    if low >= WORD then
        return high + otherHigh + 1, low - WORD
    end
    return high + otherHigh, low
end

local function fits(high)
    return high >= -HALF and high < HALF
end

-- A sum of numbers that wraps around if it does not fit.
local function wrapped(high, low, otherHigh, otherLow)
    high, low = sum(high, low, otherHigh, otherLow)
    return (high + HALF) % WORD - HALF, low
end

local function isAbove(high, low, otherHigh, otherLow)
    return high > otherHigh or (high == otherHigh and low > otherLow)
end

local function has(flags, letter)
    return flags:find(letter, 1, true) ~= nil
end

-- An optional number in an answer.
local function optional(bytes)
    return bytes and string.char(#bytes + 1) .. bytes or '\0'
end

-- The count of a cell, its mark if it has one, and its gaps.
local function cellOf(key, name)
    local cell = redis.call('HGET', key, name)
    if not cell then
        return '', nil, ''
    end
    local head = cell:byte()
    local mark = head % 16
    local count = 1 + (head - mark) / 16
    if mark == 0 then
        return cell:sub(2, count), nil, cell:sub(count + 1)
    end
    return cell:sub(2, count), cell:sub(count + 1, count + mark - 1), cell:sub(count + mark)
end

local function keepCell(key, name, count, mark, gaps)
    local head = string.char(#count * 16 + (mark and #mark + 1 or 0))
    redis.call('HSET', key, name, head .. count .. (mark or '') .. gaps)
end

-- With a test's clock, the server cannot know when a key expires.
local function renew(flags, key)
    if servers and has(flags, 'e') then
        redis.call('PEXPIRE', key, idle)
    end
end

-- Operations and open tickets, each with the time until which it is remembered. Stores may have different times.
local function isRemembered(once, what)
    local kept = redis.call('ZSCORE', once, what)
    return kept and tonumber(kept) > now
end

local function keepAtLeast(key, millis)
    if servers and redis.call('PTTL', key) < millis then
        redis.call('PEXPIRE', key, millis)
    end
end

-- Amounts that retractable operations added are in a hash.
local function remember(once, what, added)
    local old = redis.call('ZRANGEBYSCORE', once, 0, now, 'LIMIT', 0, 10)
    if #old > 0 then
        redis.call('ZREM', once, unpack(old))
        if added then
            redis.call('HDEL', added, unpack(old))
        end
    end
    redis.call('ZADD', once, now + kept, what)
    keepAtLeast(once, kept)
end
