-- What the scripts have in common that record new tasks. An element is: place, and what follows the attempts in a record.

-- A new task, which waits from now on.
local function newTask(kind, tail)
    turn = turn + 1
    local created = bytesOf(time)
    local id = LOG:sub(-6, -6) .. string.format('%013x', turn)
    return created .. struct.pack('>I8', turn) .. id .. '\1' .. kind .. created .. '\0' .. tail
end
