package io.feedkit.tools.brokers;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.event.FeedListener;
import io.feedkit.event.FeedRead;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.KeyRange;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Reads the feeds of all followers, and counts how often each has the post. Thread-safe. */
final class FeedCheck implements FeedListener {

    private static final int FOLLOWERS_AT_ONCE = 10_000;

    private final LongAdder once = new LongAdder();
    private final LongAdder missing = new LongAdder();
    private final LongAdder repeated = new LongAdder();
    private final LongAdder fromInboxes = new LongAdder();
    private final LongAdder fromOutboxes = new LongAdder();

    /**
     * The result of a check.
     *
     * @param followers number of followers
     * @param once number of followers who have the post exactly once
     * @param missing number of followers who do not have it
     * @param repeated number of followers who have it more than once
     * @param fromInboxes number of posts on their pages that were pushed
     * @param fromOutboxes number of posts on their pages that were pulled from the author
     */
    record Result(long followers, long once, long missing, long repeated, long fromInboxes, long fromOutboxes) {

        /** Whether every follower has the post once. */
        boolean isRight(long expectedFollowers) {
            return followers == expectedFollowers && once == followers;
        }

        /** Whether every follower has the post once, and there is a follower. */
        boolean isRight() {
            return followers > 0 && isRight(followers);
        }

        List<String> lines() {
            return List.of(
                    "followers who have the post exactly once: " + Figures.count(once) + " of "
                            + Figures.count(followers),
                    "followers who lack it: " + Figures.count(missing) + ", who have it more than once: "
                            + Figures.count(repeated),
                    "posts read from inboxes: " + Figures.count(fromInboxes) + ", from the author's outbox: "
                            + Figures.count(fromOutboxes));
        }
    }

    @Override
    public void read(FeedRead event) {
        fromInboxes.add(event.fromInbox());
        fromOutboxes.add(event.fromOutboxes());
    }

    static Result run(Place place) {
        FeedCheck check = new FeedCheck();
        try (Member member = place.orRefuse(() -> Member.reader(place, Readers.THREADS, check));
                Readers readers = new Readers()) {
            long followers = 0;
            IdPage page = page(member.graph(), "");
            while (!page.ids().isEmpty()) {
                followers += page.ids().size();
                readers.forEach(page.ids(), reader -> check.look(member.engine(), reader, place));
                page = page(member.graph(), page.ids().get(page.ids().size() - 1));
            }
            return check.result(followers);
        }
    }

    private static IdPage page(FollowGraph graph, String after) {
        return graph.followers(List.of(new FollowerQuery(Place.CELEBRITY, KeyRange.ALL, after, FOLLOWERS_AT_ONCE)))
                .get(0);
    }

    private void look(FeedEngine engine, String reader, Place place) {
        long times = engine.read(reader, PageRequest.first(PageRequest.MAX_LIMIT)).items().stream()
                .map(Post::key)
                .filter(place.key()::equals)
                .count();
        (times == 1 ? once : times == 0 ? missing : repeated).increment();
    }

    private Result result(long followers) {
        return new Result(followers, once.sum(), missing.sum(), repeated.sum(), fromInboxes.sum(), fromOutboxes.sum());
    }
}
