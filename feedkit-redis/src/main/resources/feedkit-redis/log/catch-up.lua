-- ARGV: time, group, tail. Answers 1, or 0 if there is such a task.
if redis.call('HEXISTS', CATCH_UPS, ARGV[2]) == 1 then
    return 0
end
add(newId(), '\1C' .. bytesOf(time), '', ARGV[3])
keepHeader()
return 1
