# shellcheck shell=bash
# Flaws of the SQL backend, in what H2 runs, most of which the other databases run, too; see check-flaws.sh.

backend jdbc feedkit-jdbc 'io/feedkit/jdbc/**/*Test,!io/feedkit/jdbc/**/survival/**'
java=feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal
sql=feedkit-jdbc/src/main/resources/feedkit-jdbc

if flaw lost-entry JdbcInboxCompatibilityTest; then
    # A post is taken for present if another author's post of the same time and id is.
    replace "$java/inbox/table/EntryTable.java" \
        'e.published_at = r.entry_at AND e.id = r.entry_id AND e.author = r.entry_author";' \
        'e.published_at = r.entry_at AND e.id = r.entry_id";'
    caught
fi

if flaw order-of-equal-times JdbcInboxCompatibilityTest; then
    # Equal times are read from the lowest id up.
    replace "$java/inbox/SliceReader.java" \
        'String down = " ORDER BY e.published_at DESC, e.id DESC, e.author DESC";' \
        'String down = " ORDER BY e.published_at DESC, e.id, e.author";'
    caught
fi

if flaw missed-retraction JdbcInboxCompatibilityTest; then
    # Of several posts to be taken out of one inbox, one is.
    replace "$java/inbox/InboxDeletes.java" 'new LinkedHashSet<>()' \
        'new TreeSet<>(Comparator.comparing(InboxEntry::reader))'
    caught
fi

if flaw lease-given-twice JdbcFanoutLogCompatibilityTest; then
    # Two workers who saw the same due task both lease it.
    replace "$java/log/TaskClaims.java" ' LIMIT :max FOR UPDATE SKIP LOCKED"' ' LIMIT :max"'
    caught
fi

if flaw trim-without-floor JdbcInboxCompatibilityTest; then
    # Records how many entries are left, and the floor from before.
    replace "$java/inbox/table/InboxTrimmer.java" \
        'inboxes.recordContents(handle, trimmed.values());' \
        'inboxes.recordContents(
                handle,
                changed.stream()
                        .map(row -> row.withContents(
                                row.floor(),
                                trimmed.getOrDefault(row.reader(), row).entries()))
                        .toList());'
    caught
fi

if flaw lost-checkpoint JdbcFanoutLogCompatibilityTest; then
    # Extends the lease, but records the cursor that the task was claimed with.
    replace "$java/log/TaskWrites.java" \
        'batch.bind("after", write.after()).bind("millis", Durations.bounded(leaseMillis))' \
        'batch.bind("after", write.claim().task().after()).bind("millis", Durations.bounded(leaseMillis))'
    caught
fi

if flaw loan-token-kept JdbcFanoutLogCompatibilityTest; then
    # The lease that is taken for a loan has the loan's token.
    replace "$java/log/TaskLoans.java" "state = 'LEASED', lease = lease + 1, due_at" "state = 'LEASED', due_at"
    replace "$java/log/TaskLoans.java" 'RETURNING lease - 1 AS loan' 'RETURNING lease AS loan'
    replace "$java/log/TaskLoans.java" 'new Claim(TaskRow.task(row), loan + 1)' 'new Claim(TaskRow.task(row), loan)'
    caught
fi

if flaw lapse-is-an-attempt JdbcFanoutLogCompatibilityTest; then
    # A loan that runs out counts like a lease that does.
    replace "$java/log/TaskClaims.java" "WHEN state = 'LEASED' THEN 1" "WHEN state <> 'WAITING' THEN 1"
    replace "$java/log/TaskClaims.java" 'row.getString("found").equals(LEASED)' '!row.getString("found").equals("WAITING")'
    caught
fi

if flaw loan-taken-for-a-lease JdbcFanoutLogCompatibilityTest; then
    # Tasks can be written under the tokens of loans.
    replace "$java/log/TaskWrites.java" 'HELD = held("LEASED")' \
        "HELD = held(\"LEASED\").replace(\"state = 'LEASED'\", \"state <> 'WAITING'\")"
    caught
fi

if flaw edge-on-one-side JdbcFollowGraphCompatibilityTest; then
    # One table serves both sides; here only the followee's count knows the edge.
    replace "$java/graph/LockingEdgeWriter.java" 'new Change(0, sign)' 'new Change(0, 0)'
    caught
fi

if flaw dropped-register-entry JdbcPulledRegisterCompatibilityTest; then
    # A whole register lacks the pulled authors of whose posts one is being retracted.
    replace "$java/register/JdbcPulledRegister.java" \
        '${pulled} LIMIT :most' \
        '${pulled} WHERE author NOT IN (SELECT author FROM ${retracting}) LIMIT :most'
    caught
fi

if flaw highest-transaction-seen JdbcOutboxCompatibilityTest; then
    # An update goes by the highest number of a transaction, and misses those that were open then.
    replace "$java/register/PostgresChangeLog.java" \
        'WHERE changed = ANY (CAST(:open AS xid8[]))' \
        "WHERE changed = ANY (CAST(:open AS xid8[])) AND author = ''"
    caught
fi

if flaw falling-mark JdbcSeenMarksCompatibilityTest; then
    # A mark replaces one that was written since the mark was read.
    replace "$java/seen/JdbcSeenMarks.java" \
        'WHEN MATCHED AND s.posts = x.expected' \
        'WHEN MATCHED'
    caught
fi

if flaw expired-order JdbcRankSnapshotsCompatibilityTest; then
    # A ranked order that has expired is found until the maintenance removes it.
    replace "$java/rank/JdbcRankSnapshots.java" \
        ' AND ends_at > ${now}' \
        ''
    caught
fi


if flaw shortened-presence JdbcPresenceStoreCompatibilityTest; then
    # A report that only renews a connection ends the online window of the last visit.
    replace "$java/presence/JdbcPresenceStore.java" \
        'online_until = greatest(p.online_until, x.online)' \
        'online_until = x.online'
    caught
fi

if flaw duplicate JdbcInboxCompatibilityTest; then
    # Only a push that is present as a whole is taken for one, and no unique key refuses the rest.
    replace "$java/inbox/delivery/LockingDelivery.java" \
        'present.contains(insert.entry())' \
        '(accepted.size() > 1 && present.size() == accepted.size())'
    replace "$sql/h2/V1__feedkit.sql" \
        '    author varchar(64) NOT NULL,
    PRIMARY KEY (reader, published_at, id, author)
);' \
        '    author varchar(64) NOT NULL
);

CREATE INDEX ${feedkit.prefix}inbox_entry_feed ON ${feedkit.tables}inbox_entry (reader, published_at, id, author);'
    caught
fi

if flaw inboxes-of-everybody JdbcInboxCompatibilityTest; then
    # Inboxes may be claimed by any source of truth.
    replace "$java/sql/SourceTable.java" \
        'if (!owner.equals(source)) {' \
        'if (owner.isEmpty()) {'
    caught
fi

if flaw row-before-its-time HostTableAheadTest; then
    # Readers see rows of the host's that are dated ahead.
    replace "$java/host/HostPosts.java" 'wanted.add(at + " <= ${now}");' 'wanted.add(at + " IS NOT NULL");'
    caught
fi

if flaw appended-before-its-time HostTableAheadTest; then
    # An author with a post that is held back has appended in the future.
    replace "$java/outbox/LastAppends.java" "p.appended_at <= \${now}" 'p.appended_at IS NOT NULL'
    caught
fi

if flaw task-before-its-time HostTableAheadTest; then
    # The task of a post that is held back is due at once.
    replace "$java/outbox/PortableWrites.java" \
        'holdsBack ? "greatest(${written}, published_at)" : "${written}"' '"${written}"'
    caught
fi

if flaw hastened-before-its-time HostTableAheadTest; then
    # A task that succeeds also wakes those of posts that are held back.
    replace "$java/log/JdbcFanoutLog.java" " AND newest_at <= \${now}" ''
    caught
fi

if flaw published-before-its-time HostTableAheadTest; then
    # The engine does at once what the task of a post that is held back does at the post's time.
    replace feedkit-core/src/main/java/io/feedkit/internal/publish/NewPosts.java \
        'if (answer.isNew() && !answer.isAhead())' 'if (answer.isNew())'
    caught
fi

if flaw address-in-cause PermanentFailureTest; then
    # The cause shows the credentials in the address of a database that cannot be reached.
    replace "$java/../JdbcSchema.java" \
        'new StoreUnavailableException(operation, Addresses.clean(e))' \
        'new StoreUnavailableException(operation, e)'
    caught
fi

if flaw living-task-discarded JdbcFanoutLogCompatibilityTest; then
    # A task is discarded whatever its state is, such as one that was replayed.
    replace "$java/log/JdbcFanoutLog.java" \
        "\"DELETE FROM \${task} WHERE id = :id AND state = 'DEAD'\"" \
        '"DELETE FROM ${task} WHERE id = :id"'
    caught
fi
