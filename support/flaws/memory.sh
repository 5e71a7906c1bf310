# shellcheck shell=bash
# Flaws of the in-memory backend; see check-flaws.sh. The kits are bound to it in feedkit-testkit.

backend memory support/feedkit-testkit 'io/feedkit/memory/**/*Test,io/feedkit/testkit/**/*Test'
java=feedkit-core/src/main/java/io/feedkit/memory

if flaw lost-entry InMemoryInboxCompatibilityTest; then
    # A full inbox is trimmed, but takes nothing in.
    replace "$java/OpenInbox.java" 'if (!posts.add(post)) {' 'if (posts.size() < stored && !posts.add(post)) {'
    caught
fi

if flaw order-of-equal-times InMemoryInboxCompatibilityTest; then
    # The author goes before the post's id.
    replace "$java/OpenInbox.java" \
        'new SortedChunks<>(Position::compare);' \
        'new SortedChunks<>(java.util.Comparator.comparing(Post::publishedAt)
            .thenComparing(Post::author)
            .thenComparing(Post::id));'
    caught
fi

if flaw missed-retraction InMemoryOutboxCompatibilityTest; then
    # A post that is deleted before it is published leaves no tombstone.
    replace "$java/AuthorOutbox.java" \
        '        tombstones.add(id);
        Post post = find(id);
        if (post == null) {
            return Optional.empty();
        }
' \
        '        Post post = find(id);
        if (post == null) {
            return Optional.empty();
        }
        tombstones.add(id);
'
    caught
fi

if flaw lease-given-twice InMemoryFanoutLogCompatibilityTest; then
    # A task that is due at this very moment waits, and is held back, too.
    replace "$java/TaskQueue.java" \
        '            letWait(logged, now);
        } else {' \
        '            letWait(logged, now);
        }
        if (notBefore >= now) {'
    caught
fi

if flaw trim-without-floor InMemoryInboxCompatibilityTest; then
    replace "$java/OpenInbox.java" '            floor = Position.of(posts.get(0));
' ''
    caught
fi

if flaw lost-checkpoint InMemoryFanoutLogCompatibilityTest; then
    # Extends the lease, but keeps the earlier cursor.
    replace "$java/MemoryFanoutLog.java" \
        'logged.recordProgress(step.after());' \
        'logged.recordProgress(logged.task.after());'
    caught
fi

if flaw edge-on-one-side InMemoryFollowGraphCompatibilityTest; then
    # What is new among the followees is not added to the followers.
    replace "$java/UserEdges.java" 'mine.add(author.id) && theirs.add(id)' 'mine.add(author.id) || theirs.add(id)'
    caught
fi

if flaw dropped-register-entry InMemoryPulledRegisterCompatibilityTest; then
    # The first entry that is widened ends the put, and the rest of the batch is dropped.
    replace "$java/MemoryPulledRegister.java" \
        'new Entry(oldest, newest, changed(post.author())));' \
        'new Entry(oldest, newest, changed(post.author())));
            if (entry != null) {
                return;
            }'
    caught
fi

if flaw falling-mark InMemorySeenMarksCompatibilityTest; then
    # The mark with the higher place replaces the other, with its list.
    replace "$java/MemorySeenMarks.java" \
        'mark.posts(), SeenPosts::and)' \
        'mark.posts(), (a, b) -> a.upTo().compareTo(b.upTo()) > 0 ? a : b)'
    caught
fi

if flaw expired-order InMemoryRankSnapshotsCompatibilityTest; then
    # A ranked order that has expired is still found.
    replace "$java/MemoryRankSnapshots.java" \
        'found.endsAt <= clock.millis()' \
        'found.endsAt <= 0'
    caught
fi

if flaw shortened-presence InMemoryPresenceStoreCompatibilityTest; then
    # A report that only renews a connection ends the online window of the last visit.
    replace "$java/InMemoryPresenceStore.java" \
        'long until = Math.max(onlineUntil, online);' \
        'long until = online;'
    caught
fi

if flaw duplicate InMemoryInboxCompatibilityTest; then
    # The newest post is added again.
    replace "$java/SortedChunks.java" \
        'order.compare(entry(top, topSize - 1), entry) < 0' \
        'order.compare(entry(top, topSize - 1), entry) <= 0'
    caught
fi
