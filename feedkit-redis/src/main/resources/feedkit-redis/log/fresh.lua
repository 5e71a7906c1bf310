-- Functions shared by the scripts that record pushes and pulls. An element of the fresh tasks is the queue key, and
-- what follows the outage in a record.

-- A new push or pull, which is due at once.
local function newTask(kind, tail)
    local id = nextId()
    local created = bytesOf(time)
    return created .. struct.pack('>I8', turn) .. id .. '\1' .. kind .. created .. '\0' .. tail
end
