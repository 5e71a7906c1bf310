package io.feedkit.testkit.model;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.oracle.OracleFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** The work of one racing thread. */
final class RaceThread {

    private static final int IDS = 60;

    private final List<FeedEngine> engines;
    private final SettableClock clock;
    private final Random random;
    private final RaceTruth truth;
    private final int operations;

    RaceThread(List<FeedEngine> engines, SettableClock clock, Random random, RaceTruth truth, int operations) {
        this.engines = engines;
        this.clock = clock;
        this.random = random;
        this.truth = truth;
        this.operations = operations;
    }

    /** Publishes and deletes posts; other threads use the same posts. */
    void write() {
        for (int i = 0; i < operations; i++) {
            String author = pick(Users.ALL);
            String id = "p" + random.nextInt(IDS);
            if (random.nextInt(5) == 0) {
                engine().delete(author, id);
                truth.deleted(new PostKey(author, id));
            } else {
                clock.advance(Duration.ofMillis(1));
                Post post = Post.of(author, id, clock.millis() - random.nextInt(3000));
                Published answer = engine().publish(post);
                if (answer.status() != Published.Status.DELETED) {
                    truth.published(answer.post());
                }
            }
        }
    }

    /** Follows, unfollows and reads for some readers. No other thread acts for these readers. */
    void followAndRead(List<String> readers) {
        for (int i = 0; i < operations; i++) {
            String reader = pick(readers);
            String author = pick(Users.ALL);
            int kind = random.nextInt(6);
            if (kind == 0 && !reader.equals(author)) {
                truth.followed(reader, author);
                engine().follow(reader, author);
            } else if (kind == 1) {
                engine().unfollow(reader, author);
                truth.unfollowed(reader, author);
            } else {
                walk(reader, random.nextBoolean());
            }
        }
    }

    private void walk(String reader, boolean hydrated) {
        Set<PostKey> deleted = truth.deletedByNow();
        List<Post> seen = new ArrayList<>();
        PageRequest request = PageRequest.first(1 + random.nextInt(8));
        Optional<Cursor> older;
        do {
            FeedPage<Post> page = page(reader, request, hydrated);
            for (Post post : page.items()) {
                boolean inOrder =
                        seen.isEmpty() || OracleFeed.NEWEST_FIRST.compare(seen.get(seen.size() - 1), post) < 0;
                require(inOrder, post + " comes after " + seen);
                require(truth.follows(reader, post.author()), post + " is shown to " + reader + ", who unfollowed");
                require(!hydrated || !deleted.contains(post.key()), post + " is shown, but was deleted");
                seen.add(post);
            }
            older = page.older();
            request = older.map(cursor -> PageRequest.older(cursor, 1 + random.nextInt(8)))
                    .orElse(request);
        } while (older.isPresent() && random.nextInt(4) != 0);
    }

    private FeedPage<Post> page(String reader, PageRequest request, boolean hydrated) {
        if (!hydrated) {
            return engine().read(reader, request);
        }
        return engine().read(reader, request, new Host()::load);
    }

    /** Disturbs the others: rebuilds, refreshes, evicts, changes policies, lets workers rest, and lets time pass. */
    void disturb(FeedStore store, ModelSettings settings) {
        InboxLimits limits =
                new InboxLimits(settings.cap(), settings.liveWindow().toMillis());
        for (int i = 0; i < operations; i++) {
            String reader = pick(Users.ALL);
            switch (random.nextInt(7)) {
                case 0 -> engine().rebuild(reader);
                case 1 -> engine().refresh(reader);
                case 2 -> store.inbox(limits).drop(List.of(reader));
                case 3 ->
                    engine().usePolicy(pick(List.of(
                                    Policies.PUSH,
                                    Policies.PULL,
                                    Policies.HYBRID_3,
                                    Policies.ACTIVE_3,
                                    Policies.ONLINE))
                            .policy());
                case 4 -> engine().fanout().pause();
                case 5 -> engine().fanout().resume();
                default -> clock.advance(Duration.ofMillis(700));
            }
        }
    }

    private FeedEngine engine() {
        return pick(engines);
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }
}
