-- ARGV: time, group, tail. Answers with 1, or with 0 if there is such a task.
if redis.call('HEXISTS', CATCH_UPS, ARGV[2]) == 1 then
    return 0
end
addNew('C', ARGV[3])
keepHeader()
return 1
