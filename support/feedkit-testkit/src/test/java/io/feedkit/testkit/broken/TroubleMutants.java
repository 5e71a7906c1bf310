package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.outbox;

import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.OutboxWriter;
import io.feedkit.spi.Position;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenMarks.Seen;
import io.feedkit.spi.SeenPosts;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.broken.Parts.ALog;
import io.feedkit.testkit.broken.Parts.AWriter;
import io.feedkit.testkit.broken.Parts.AnOutbox;
import io.feedkit.testkit.broken.Parts.SomeMarks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Stores that are wrong when a callback or a call failed, and about what a listener hears, or a cursor of the far
 * future marks.
 */
final class TroubleMutants {

    static final List<Mutant> ALL = List.of(
            log("loses a task that failed", "Undeclared.everyCallInTurn", log -> new ALog(log) {
                @Override
                public List<Boolean> fail(List<Failure> failures) {
                    return sound.finish(failures.stream().map(Failure::claim).toList(), 0);
                }
            }),
            log(
                    "loses a task that waits for a store which was out of reach",
                    "Callbacks.allTroubles",
                    log -> new ALog(log) {
                        @Override
                        public List<Boolean> release(List<Release> releases) {
                            return sound.finish(
                                    releases.stream().map(Release::claim).toList(), 0);
                        }
                    }),
            log("claims a task once, whatever becomes of it", "Callbacks.allTroubles", log -> new ALog(log) {
                private final List<String> claimed = new ArrayList<>();

                @Override
                public synchronized List<Claim> claim(int max, long leaseMillis) {
                    List<Claim> first = sound.claim(max, leaseMillis).stream()
                            .filter(claim -> !claimed.contains(claim.task().id()))
                            .toList();
                    first.forEach(claim -> claimed.add(claim.task().id()));
                    return first;
                }
            }),
            new Mutant(
                    "marks a feed as seen for ever",
                    Leaves.Feeds.class,
                    "Unread.farFuture",
                    (sound, clock) ->
                            FeedStore.of(sound.outbox(), sound::inbox, sound.graph(), forEver(sound.seenMarks()))),
            outbox(
                    "lets a publish be heard of before its commit",
                    "Heard.published",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public OutboxWriter joining(PublishTransaction transaction) {
                            return sound;
                        }
                    }),
            outbox(
                    "lets a delete be heard of that is rolled back",
                    "Heard.rolledBack",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public OutboxWriter joining(PublishTransaction transaction) {
                            TransactionalOutbox committed = sound;
                            return new AWriter(sound.joining(transaction)) {
                                @Override
                                public List<Boolean> delete(List<PostKey> keys) {
                                    return committed.delete(keys);
                                }
                            };
                        }
                    }));

    private TroubleMutants() {}

    private static Mutant log(String name, String caughtBy, UnaryOperator<FanoutLog> breaking) {
        return new Mutant(name, Leaves.Feeds.class, caughtBy, (sound, clock) -> {
            FanoutLog broken = breaking.apply(sound.outbox().fanout());
            Outbox outbox = new AnOutbox(sound.outbox()) {
                @Override
                public FanoutLog fanout() {
                    return broken;
                }
            };
            return FeedStore.of(outbox, sound::inbox, sound.graph(), sound.seenMarks());
        });
    }

    private static SeenMarks forEver(SeenMarks marks) {
        return new SomeMarks(marks) {
            @Override
            public void markSeen(List<Seen> seen) {
                sound.markSeen(seen.stream()
                        .map(each -> new Seen(
                                each.reader(),
                                SeenPosts.upTo(new Position(each.posts().upTo().millis() * 2, "", ""))))
                        .toList());
            }
        };
    }
}
