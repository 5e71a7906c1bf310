# shellcheck shell=bash
# Flaws of the engine that no store can have; see check-flaws.sh. The kit of whole feeds is bound to the in-memory store in feedkit-testkit.

backend engine support/feedkit-testkit 'io/feedkit/testkit/**/*Test'
java=feedkit-core/src/main/java/io/feedkit/internal

if flaw cursor-names-hidden InMemoryFeedStoreCompatibilityTest; then
    # Where a page breaks off at its bound, its cursor has the post looked at last, which the filter may have hidden.
    replace "$java/read/PageFiller.java" \
        'if (last.equals(place(items))) {' \
        'if (last.isPresent()) {'
    caught
fi

if flaw ranked-walk-keeps-unfollowed InMemoryFeedStoreCompatibilityTest; then
    # A later page of a ranked feed shows posts of authors that the reader does not follow any more.
    replace "$java/rank/CheckedOrder.java" \
        'followed.contains(post.author())' \
        'followed != null'
    caught
fi

if flaw early-posts-vanish InMemoryFeedStoreCompatibilityTest; then
    # A page that is read from the outboxes shows posts whose push is not done, and enters none of them in the register.
    replace "$java/cache/PostVisibility.java" \
        'if (posts.isEmpty()) {' \
        'if (posts.size() >= 0) {'
    caught
fi

if flaw early-authors-stay-pulled InMemoryFeedStoreCompatibilityTest; then
    # An author whom a page entered in the register after the push stays there until the author's next push.
    replace "$java/cache/PostVisibility.java" \
        '!isOld(lookedAt)' \
        'isOld(lookedAt)'
    caught
fi

if flaw view-forgets-departures RegisterBeforeInboxTest; then
    # A view takes the registration that is known after the inbox was read, although authors have left meanwhile.
    replace "$java/view/FeedViews.java" \
        'return register.departures() == departures ? known : before;' \
        'return known;'
    caught
fi

if flaw view-looks-once RegisterBeforeInboxTest; then
    # A view reads the inbox before the register, if it did not expect the followees.
    replace "$java/view/FeedViews.java" \
        'if (areKnown || !(inbox instanceof Live)) {' \
        'if (looks > 0) {'
    caught
fi

if flaw view-trusts-early-slice RegisterBeforeInboxTest; then
    # A slice that was read together with the register counts, although the register has changed.
    replace "$java/view/FeedViews.java" \
        'if (first.isEmpty() || register.isUnchangedSince(before)) {' \
        'if (departures >= 0) {'
    caught
fi

if flaw returned-author-never-left RegisterBeforeInboxTest; then
    # An author who left the register and came back with another post between two updates is no departure.
    replace "$java/cache/KnownRegister.java" \
        'if (before.hasMoreThan(entry)) {' \
        'if (before.isNothing()) {'
    caught
fi

if flaw learned-author-never-left RegisterBeforeInboxTest; then
    # An author whom the engine learns of was not registered before.
    replace "$java/cache/KnownRegister.java" \
        'so they may have left.
            departures.incrementAndGet();' \
        'so they may have left.'
    caught
fi

if flaw views-share-an-old-register SharedRegisterTest; then
    # Views share what was registered before a change.
    replace "$java/cache/RegisterCache.java" \
        'all.known() != known || all.change() != seen' \
        'all.known() != known'
    caught
fi

if flaw own-marks-are-not-assumed AssumedMarksTest; then
    # A count after the engine's own markSeen assumes the mark from before, and is repeated.
    replace "$java/unread/FeedUnread.java" \
        'added.forEach(each -> marks.changed(each, SeenPosts::and));' \
        'added.forEach(each -> {});'
    caught
fi

if flaw counted-with-pulled-posts AssumedMarksTest; then
    # A count of an inbox that was assumed to be empty above the mark counts unpushed posts twice.
    replace "$java/unread/UnreadRound.java" \
        '(apart.isEmpty() && count.above() == 0)' \
        'apart.isEmpty()'
    caught
fi

if flaw assumed-marks-are-right AssumedMarksTest; then
    # A count keeps the mark that it assumed, although the mark has changed.
    replace "$java/unread/UnreadRound.java" \
        'marks.entrySet().retainAll(read.entrySet());' \
        'marks.keySet().retainAll(read.keySet());'
    caught
fi

if flaw polls-count-recent-posts LivePollingTest; then
    # Polls count the posts of the lookback as old ones, so late posts stay unnoticed.
    replace "$java/live/StorePolling.java" \
        'int now = above.get(2) - above.get(3);' \
        'int now = above.get(2);'
    caught
fi

if flaw walk-returns-to-inbox InMemoryFeedStoreCompatibilityTest; then
    # A walk that began in the outboxes goes on in the inbox, which may lack posts that were visible when it began.
    replace "$java/read/FeedScan.java" \
        'boolean hot = reached && (!beyondInbox || walk.isCached());' \
        'boolean hot = reached;'
    caught
fi

if flaw reconciliation-keeps-what-is-wrong InMemoryFeedStoreCompatibilityTest; then
    # Entries of posts that do not exist, or have another time, stay in the inbox.
    replace "$java/inbox/InboxRepair.java" \
        'return found.notFollowed().size() + inserts.correct(reader, slice.generation(), found.wrong());' \
        'return found.notFollowed().size();'
    caught
fi

if flaw page-shows-a-post-twice InMemoryFeedStoreCompatibilityTest; then
    # A post whose entry stands at two places shows at both.
    replace "$java/read/FeedScan.java" \
        ' && shown.add(post.key())' \
        ''
    caught
fi

if flaw unknown-post-shows-after-delete InMemoryFeedStoreCompatibilityTest; then
    # The engine hides a post that only inboxes hold when it learns of its own delete from the store.
    replace "$java/publish/Deleter.java" \
        'registerCache.deleted(keys);
        deleted.forEach' \
        'registerCache.deleted(deleted);
        deleted.forEach'
    caught
fi

if flaw publishing-is-no-activity InMemoryFeedStoreCompatibilityTest; then
    # A publish looks at the inbox of its author without renewing the live window.
    replace "$java/inbox/InboxRenewal.java" \
        'Order.NEWEST_FIRST, 1, true)' \
        'Order.NEWEST_FIRST, 1, false)'
    caught
fi

if flaw foreign-inboxes InMemoryFeedStoreCompatibilityTest; then
    # An engine starts on inboxes of another source of truth.
    replace "$java/inbox/ClaimedInbox.java" \
        'if (!e.isRetryable()) {' \
        'if (e.getCause() != null) {'
    caught
fi

if flaw cursor-passes-unreached InMemoryFailureTest; then
    # A task goes on beyond readers who were not reached, and does not come back to them.
    replace "$java/fanout/batch/ClaimedTask.java" \
        'TaskCursor next = cursor.after(page.ids(), unreached);' \
        'TaskCursor next = cursor.after(page.ids(), Set.of());'
    caught
fi

if flaw cursor-ahead InMemoryFeedStoreCompatibilityTest; then
    # The cursor of a page has the time of its highest post, also if that is ahead of the present.
    replace "$java/paging/ShownPosts.java" \
        'Position place = page.highest().map(top -> Position.min(top, end)).orElse(end);' \
        'Position place = page.highest().orElse(end);'
    caught
fi

if flaw page-waits-for-routine RoutineReconciliationTest; then
    # A first page waits for the reconciliation that it starts.
    replace "$java/inbox/RoutineReconciliation.java" \
        'withinPage = settings.fanout().workers() == 0;' \
        'withinPage = true;'
    caught
fi

if flaw cursor-misses-a-millisecond ClocksAheadTest; then
    # The last post of a first page is one millisecond ahead of the present, and its cursor does not know it.
    replace "$java/paging/ShownPosts.java" \
        'Math.min(last.millis() + 1, end.millis())' \
        'last.millis() + 1'
    caught
fi

if flaw restore-stays-with-one-engine InMemoryModelTest; then
    # Engines do not ask the log for a loss that an operator has declared on another engine.
    replace "$java/inbox/loss/DeliveryLossRecovery.java" \
        'Math.max(inbox.deliveriesSafeSince(), fanoutLog.latestLoss())' \
        'inbox.deliveriesSafeSince()'
    caught
fi

if flaw polls-go-ahead InMemoryModelTest; then
    # The cursor of a page read upwards has the time of its highest post, also if that is ahead of the present.
    replace "$java/paging/ShownPosts.java" \
        'Position.min(highest, beginsAhead ? Position.max(before.upTo(), end) : end)' \
        'highest'
    caught
fi

if flaw raced-follow-counts-twice InMemoryFeedStoreCompatibilityTest; then
    # A follow that another change of the same author overtook changes the checksum of followees all the same.
    replace "$java/inbox/Follows.java" \
        'toggled = ThreadLocalRandom.current().nextLong();' \
        'assert toggled != 1;'
    caught
fi

if flaw undelivered-is-sent-again QueueFailuresTest; then
    # A relay sends a task again and again whose messages the queue confirms and does not deliver.
    replace "$java/relay/Lending.java" \
        'return lent.lapsed() && settings' \
        'return lent.task().id().isEmpty() && settings'
    caught
fi

if flaw undelivering-queue-is-open QueueFailuresTest; then
    # The backlog does not say that the queue delivers nothing.
    replace "$java/relay/QueueHealth.java" \
        'return !delivers || queue.status() != Status.OPEN;' \
        'return queue.status() != Status.OPEN;'
    caught
fi

if flaw undelivering-queue-is-not-tried QueueFailuresTest; then
    # A queue that has delivered nothing is never used again.
    replace "$java/relay/QueueHealth.java" \
        'return !delivers && untested.isOver()' \
        'return delivers && untested.isOver()'
    caught
fi

if flaw acknowledgement-drops-tasks QueueFailuresTest; then
    # An acknowledgement that throws drops the tasks just taken, until their leases end.
    replace "$java/relay/GuardedQueue.java" \
        'run("acknowledge", () -> subscription.acknowledge(messages));' \
        'subscription.acknowledge(messages);'
    caught
fi

if flaw status-escapes QueueFailuresTest; then
    # What the queue throws when it is asked for its status reaches the host and the workers.
    replace "$java/relay/GuardedQueue.java" \
        'call("status", queue::status).orElse(Status.UNREACHABLE)' \
        'queue.status()'
    caught
fi

if flaw end-of-subscription-escapes QueueFailuresTest; then
    # What a subscription throws at its end reaches the host that closes the engine.
    replace "$java/relay/GuardedQueue.java" \
        'run("the end of a subscription", subscription::close);' \
        'subscription.close();'
    caught
fi

if flaw unprintable-failure-escapes InMemoryFeedStoreCompatibilityTest; then
    # The text of an exception whose toString throws is asked for without a guard.
    replace "$java/check/FailureReasons.java" \
        'return cause.getClass().getName();' \
        'throw e;'
    caught
fi

if flaw listeners-guarded-together CallbackFailuresTest; then
    # A listener that throws keeps those after it from the event.
    replace "$java/host/GuardedListener.java" \
        'listeners.forEach(guarded -> guard(guarded, () -> event.accept(guarded.listener())))' \
        'listeners.stream()
                    .limit(1)
                    .forEach(first -> guard(first, () -> listeners.forEach(each -> event.accept(each.listener()))))'
    caught
fi

if flaw reports-believed InMemoryFeedStoreCompatibilityTest; then
    # A follow that the host reports before its commit brings posts into the inbox.
    replace "$java/inbox/Follows.java" \
        'Set<String> followed = followedNow(operation, reader, some);' \
        'Set<String> followed = following ? Set.copyOf(some) : followedNow(operation, reader, some);'
    caught
fi

if flaw null-is-taken NullArgumentsTest; then
    # A value of the SPI takes null, which fails later and elsewhere.
    replace feedkit-core/src/main/java/io/feedkit/spi/Inbox.java \
        'Arguments.nonNull("range", range);' \
        ''
    caught
fi

if flaw null-has-another-name NullArgumentsTest; then
    # The message names another argument than the one that is null.
    replace feedkit-core/src/main/java/io/feedkit/unread/Conversations.java \
        'Ids.require("sender", sender)' \
        'Ids.require("user", sender)'
    caught
fi
