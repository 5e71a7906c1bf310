-- ARGV: time, most. Answers the fresh tasks that come first, and the places of those in the queue that have been due longest.
local due = redis.call('ZRANGEBYLEX', QUEUE, '-', '(' .. bytesOf(time + 1), 'LIMIT', '0', ARGV[2])
return {redis.call('LRANGE', FRESH, '0', tonumber(ARGV[2]) - 1), due}
