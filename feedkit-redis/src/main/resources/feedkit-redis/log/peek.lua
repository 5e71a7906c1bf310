-- ARGV: time, most. Answers the places of the tasks that have been due longest.
return redis.call('ZRANGEBYLEX', QUEUE, '-', '(' .. bytesOf(time + 1), 'LIMIT', '0', ARGV[2])
