-- What the scripts have in common that record pushes and pulls. An element is: place, and what follows the attempts in a record.

-- A new push or pull, which waits from now on.
local function newTask(kind, tail)
    local id = nextId()
    local created = bytesOf(time)
    return created .. struct.pack('>I8', turn) .. id .. '\1' .. kind .. created .. '\0' .. tail
end
