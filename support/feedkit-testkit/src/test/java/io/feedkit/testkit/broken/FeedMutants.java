package io.feedkit.testkit.broken;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.broken.Parts.ALog;
import io.feedkit.testkit.broken.Parts.AnOutbox;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/** Stores whose outbox for followers leaves tasks out that are needed. */
final class FeedMutants {

    static final List<Mutant> ALL = List.of(
            leavingOut("leaves the tasks of all pushes out", "Fanout.otherEngine", (graph, author) -> true),
            leavingOut("looks for followers before the append", "Fanout.firstFollower", (graph, author) -> {
                boolean nobody = graph.counts(List.of(author)).get(author).followers() == 0;
                awaitFollower(graph, author);
                return nobody;
            }));

    private FeedMutants() {}

    private static Mutant leavingOut(String name, String caughtBy, BiPredicate<FollowGraph, String> unfollowed) {
        return new Mutant(name, Leaves.Feeds.class, caughtBy, (sound, clock) -> new ForwardingFeedStore() {
            private final Outbox outbox =
                    new LeavingOut(sound.outbox(), author -> unfollowed.test(sound.graph(), author));

            @Override
            public FeedStore delegate() {
                return sound;
            }

            @Override
            public Outbox outboxForFollowers() {
                return outbox;
            }
        });
    }

    /** Lets a follow come between, if there is one on its way. */
    private static void awaitFollower(FollowGraph graph, String author) {
        long end = System.nanoTime() + MILLISECONDS.toNanos(5);
        while (graph.counts(List.of(author)).get(author).followers() == 0 && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    /** Has a task for every post, and shows those to nobody that it is to leave out. */
    private static final class LeavingOut extends AnOutbox {
        private final Predicate<String> unfollowed;
        private final Set<PostKey> withoutTask = ConcurrentHashMap.newKeySet();
        private final FanoutLog log;

        LeavingOut(TransactionalOutbox sound, Predicate<String> unfollowed) {
            super(sound);
            this.unfollowed = unfollowed;
            this.log = new ALog(sound.fanout()) {
                @Override
                public List<Claim> claim(int limit, long leaseMillis) {
                    List<Claim> shown = new ArrayList<>();
                    for (Claim claim : delegate().claim(limit, leaseMillis)) {
                        if (withoutTask.contains(claim.task().key())) {
                            delegate().finish(List.of(claim), 0);
                        } else {
                            shown.add(claim);
                        }
                    }
                    return shown;
                }
            };
        }

        @Override
        public List<Appended> append(List<Publication> publications) {
            for (Publication publication : publications) {
                if (publication.mode() == FanoutMode.PUSH
                        && unfollowed.test(publication.post().author())) {
                    withoutTask.add(publication.post().key());
                }
            }
            return sound.append(publications);
        }

        @Override
        public FanoutLog fanout() {
            return log;
        }
    }
}
