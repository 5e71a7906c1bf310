# shellcheck shell=bash
# Flaws of the Redis backend; see check-flaws.sh.

backend redis feedkit-redis 'io/feedkit/redis/**/*Test,!io/feedkit/redis/**/survival/**'
java=feedkit-redis/src/main/java/io/feedkit/redis/internal
lua=feedkit-redis/src/main/resources/feedkit-redis

if flaw sent-count-is-cut RedisInboxCompatibilityTest; then
    # Of several counts that are sent, only the first is asked.
    replace "$java/inbox/InboxCounter.java" \
        'link.ask(OPERATION, calls(queries))' \
        'link.ask(OPERATION, calls(queries.subList(0, Math.min(1, queries.size()))))'
    caught
fi

if flaw unchanged-register-without-authors RedisPulledRegisterCompatibilityTest; then
    # A part of the register that has not changed says so also if it is asked for the state of authors.
    replace "$lua/register/update.lua" \
        'token == known and #authors == 0' \
        'token == known'
    caught
fi

if flaw sent-slice-is-cut RedisInboxCompatibilityTest; then
    # Of several slices that are sent, only the first is asked.
    replace "$java/inbox/SliceReader.java" \
        'link.ask(OPERATION, calls(queries))' \
        'link.ask(OPERATION, calls(queries.subList(0, Math.min(1, queries.size()))))'
    caught
fi

if flaw lost-entry RedisInboxCompatibilityTest; then
    # A late post replaces the entry above it.
    replace "$lua/inbox/deliver.lua" 'record, unpack(newest, i + 1)' 'record, unpack(newest, i + 2)'
    caught
fi

if flaw order-of-equal-times RedisInboxCompatibilityTest; then
    # What has the time of the newest entry is added above it, whatever its id.
    replace "$lua/inbox/deliver.lua" \
        'its < time or (its == time and compare(record, last) > 0)' \
        'its < time or (its == time and record ~= last)'
    caught
fi

if flaw missed-retraction RedisInboxCompatibilityTest; then
    # The first inbox without the post ends the retraction for all others.
    replace "$lua/inbox/retract.lua" \
        "    removed = removed + redis.call('LREM', inbox, -1, ARGV[2])" \
        "    local found = redis.call('LREM', inbox, -1, ARGV[2])
    if found == 0 then
        break
    end
    removed = removed + found"
    caught
fi

if flaw lease-given-twice RedisFanoutLogCompatibilityTest; then
    # Two workers who saw the same waiting task both lease it.
    replace "$lua/log/claim.lua" \
        "local found = redis.call('ZREM', QUEUE, place) == 1 and redis.call('HGET', TASKS, id)" \
        "redis.call('ZREM', QUEUE, place)
    local found = redis.call('HGET', TASKS, id)"
    caught
fi

if flaw trim-without-floor RedisInboxCompatibilityTest; then
    replace "$lua/inbox/deliver.lua" "call('LPUSH', inbox, header:sub(1, FLOOR - 1) .. floor)" "call('LPUSH', inbox, header)"
    caught
fi

if flaw lost-checkpoint RedisFanoutLogCompatibilityTest; then
    # Extends the lease, but keeps the earlier cursor.
    replace "$lua/log/checkpoint.lua" \
        'headOf(found), cursor, tailOf(found)' \
        'headOf(found), cursorOf(found), tailOf(found)'
    caught
fi

if flaw taken-loan-in-the-window RedisFanoutLogCompatibilityTest; then
    # A loan counts until it would have run out, although it was taken.
    replace "$lua/log/take.lua" "    redis.call('ZREM', LENT, unpack(loans))
" ''
    caught
fi

if flaw lapse-is-an-attempt RedisFanoutLogCompatibilityTest; then
    # A loan that runs out counts like a lease that does.
    replace "$lua/log/claim.lua" 'lapsed[#lapsed + 1] = place' 'lapsed[#lapsed + 1], attempts = place, attempts + 1'
    caught
fi

if flaw loan-taken-for-a-lease RedisFanoutLogCompatibilityTest; then
    # Tasks can be written under the tokens of loans.
    replace "$lua/log/leases.lua" 'return isUnder(found, token) and not hasLoan(found)' 'return isUnder(found, token)'
    caught
fi

if flaw edge-on-one-side RedisFollowGraphCompatibilityTest; then
    # An unfollow reaches the followee's followers only if another change of the edge was under way.
    replace "$lua/graph/mirror.lua" \
        "        else
            redis.call('ZREM', followers, reader)" \
        "        elseif raced == '1' then
            redis.call('ZREM', followers, reader)"
    caught
fi

if flaw dropped-register-entry RedisRegisterTest; then
    # Reading a large part of the register ends when either of its two collections is read.
    replace "$java/outbox/RedisPulledRegister.java" \
        'Arrays.equals(entries, DONE) && Arrays.equals(posts, DONE)' \
        'Arrays.equals(entries, DONE) || Arrays.equals(posts, DONE)'
    caught
fi

if flaw falling-mark RedisSeenMarksCompatibilityTest; then
    # A mark replaces one that was written since the mark was read.
    replace "$lua/seen/swap.lua" \
        'if mark ~= ARGV[2] then' \
        "if mark ~= ARGV[2] and ARGV[2] == '' then"
    caught
fi

if flaw expired-order RedisRankSnapshotsCompatibilityTest; then
    # A ranked order that has expired is found until its key expires.
    replace "$lua/rank/load.lua" \
        'timeAt(list, place + NAME) > now and ' \
        ''
    caught
fi


if flaw shortened-presence RedisPresenceStoreCompatibilityTest; then
    # A report that only renews a connection ends the online window of the last visit.
    replace "$lua/presence/report.lua" \
        "redis.call('ZADD', KEYS[1], 'GT', unpack(online))" \
        "redis.call('ZADD', KEYS[1], unpack(online))"
    caught
fi

if flaw duplicate RedisInboxCompatibilityTest; then
    # A post that is far from the top of the inbox is inserted again.
    replace "$lua/inbox/deliver.lua" \
        '    if pivot == record then
        return nil
    end
' ''
    caught
fi

if flaw claimed-by-the-last RedisInboxCompatibilityTest; then
    # Inboxes belong to the source of truth that claimed them last.
    replace "$lua/check/identity.lua" \
        "if (not found and ARGV[3] ~= '') or ARGV[4] == '1' then" \
        "if ARGV[3] ~= '' then"
    caught
fi

if flaw late-retract RedisCounterExpiryTest; then
    # An operation on a cell that has expired is taken back from the next cell of the name.
    replace "$lua/counter/add.lua" "if taken and count == '' then" 'if false then'
    caught
fi

if flaw added-for-ever RedisCounterExpiryTest; then
    # What an operation added is kept for ever.
    replace "$lua/counter/add.lua" 'keepAtLeast(taken, kept)' ''
    caught
fi

if flaw password-in-host ServersTest; then
    # Credentials that a RedisURI has as a part of its host are shown in messages.
    replace "$java/connection/Servers.java" \
        'members.forEach(Servers::requireNoCredentials);' \
        ''
    caught
fi

if flaw next-letter-discarded RedisFanoutLogCompatibilityTest; then
    # If an id is no dead letter's, the dead letter after it is discarded.
    replace "$lua/log/discard.lua" 'if entry and entry:sub(1, 14) == id then' 'if entry then'
    caught
fi
