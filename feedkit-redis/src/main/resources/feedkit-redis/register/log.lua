-- The change log of a partition's register: a list of changes, the latest last. A change begins with the token of the
-- call that made it.
local KEPT, TRIMMED_ABOVE = 512, 640

local function log(register, changes)
    if #changes > 0 and redis.call('RPUSH', register, unpack(changes)) > TRIMMED_ABOVE then
        redis.call('LTRIM', register, -KEPT, -1)
    end
end
