-- What the scripts have in common that ask for the oldest open task.

-- When the first fresh task was recorded that is open; where very many others are in front, when the last of those was that were looked at.
local function oldestFresh()
    local PAGE, MOST = 100, 1000
    local looked
    for from = 0, MOST - 1, PAGE do
        local page = redis.call('LRANGE', FRESH, from, from + PAGE - 1)
        for _, element in ipairs(page) do
            looked = timeAt(element, 1)
            local kind = element:sub(30, 30)
            if kind ~= 'A' and kind ~= 'R' then
                return looked
            end
        end
        if #page < PAGE then
            return nil
        end
    end
    return looked
end

-- When the oldest task was recorded that is not slow on purpose, if there is one. Fresh tasks are claimed in their order, so no claimed one is newer than they are.
local function oldestOpen()
    local claimed = redis.call('ZRANGE', OPEN, '0', '0')[1]
    return claimed and timeAt(claimed, 1) or oldestFresh()
end
