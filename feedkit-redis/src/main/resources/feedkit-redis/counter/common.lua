-- What the scripts of counters have in common. docs/storage-redis.md has the formats.
-- ARGV of every script: time, how long operations are kept, how long idle users are kept, and then what each step is about, which begins with letters: e for what expires with its idle user, c for a
-- conversation, and others that the script names.
-- Numbers have 64 bits, which Lua's own cannot hold: they are two words here, and as bytes without leading zeros where they are kept.

local kept, idle = tonumber(ARGV[2]), ARGV[3]
local WORD, HALF = 4294967296, 2147483648
local ZEROS = ('\0'):rep(8)

local function wordsOf(bytes)
    local high, low = struct.unpack('>i4I4', ZEROS:sub(#bytes + 1) .. bytes)
    return high, low
end

local function bytesOf(high, low)
    return (struct.pack('>i4I4', high, low):gsub('^%z+', ''))
end

-- A sum whose high word is out of bounds if it does not fit.
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

-- A sum of numbers that begins again at the other end if it does not fit.
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

-- A number in an answer, or that there is none.
local function optional(bytes)
    return bytes and string.char(#bytes + 1) .. bytes or '\0'
end

-- The count of a cell, and its mark if it has one.
local function cellOf(key, name)
    local cell = redis.call('HGET', key, name)
    if not cell then
        return '', nil
    end
    local head = cell:byte()
    local count = 1 + math.floor(head / 16)
    return cell:sub(2, count), head % 16 > 0 and cell:sub(count + 1) or nil
end

local function keepCell(key, name, count, mark)
    redis.call('HSET', key, name, string.char(#count * 16 + (mark and #mark + 1 or 0)) .. count .. (mark or ''))
end

-- Under a clock of the tests' own the server cannot know when a key is over.
local function renew(flags, key)
    if ARGV[1] == '' and has(flags, 'e') then
        redis.call('PEXPIRE', key, idle)
    end
end

-- What was done once, or may be: operations and open tickets, each with the time.
local function isRemembered(once, what)
    local at = redis.call('ZSCORE', once, what)
    return at and tonumber(at) > now - kept
end

local function remember(once, what)
    local old = redis.call('ZRANGEBYSCORE', once, '-inf', now - kept, 'LIMIT', 0, 10)
    if #old > 0 then
        redis.call('ZREM', once, unpack(old))
    end
    redis.call('ZADD', once, now, what)
    if ARGV[1] == '' then
        redis.call('PEXPIRE', once, kept)
    end
end
