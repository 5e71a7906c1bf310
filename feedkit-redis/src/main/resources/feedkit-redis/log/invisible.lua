-- ARGV: time. Answers when the oldest task was recorded whose post is not visible yet, or with 0.
return oldestInvisible() or 0
