package io.feedkit.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The tables of round trips in docs/performance.md and docs/reference/round-trips.md")
class RoundTripsTest {

    private static final List<Path> TABLES =
            List.of(Path.of("../../docs/performance.md"), Path.of("../../docs/reference/round-trips.md"));
    private static final int PULLED = 50;
    private static final int CAP = 100;
    private static final int MORE_THAN_CACHED = 30;
    private static final int BATCH = 10;

    private final SteppedClock clock = new SteppedClock();
    private final CountingStore store = new CountingStore(clock);
    private final List<String> rows = new ArrayList<>();
    private final FeedEngine engine = engine(builder -> builder);

    private FeedEngine engine(UnaryOperator<FeedEngineBuilder> settings) {
        return settings.apply(FeedEngine.builder(store)
                        .clock(clock)
                        .workers(0)
                        .cap(CAP)
                        .fanout(fanout -> fanout.batchSize(BATCH).splitThreshold(1000)))
                .build();
    }

    @AfterEach
    void compareWithTable() throws IOException {
        engine.close();
        for (Path table : TABLES) {
            rows.removeAll(Files.readAllLines(table));
        }
        assertThat(rows).as("rows that the tables lack").isEmpty();
    }

    @Test
    @DisplayName("is right about publishing and deleting")
    void publishing() {
        publish("bob", 1);
        row("publish, push", () -> engine.publish("bob", "pushed"));
        engine.usePolicy(FanoutPolicy.hybrid(1000));
        publish("bob", 1);
        row("publish, hybrid, small author", () -> engine.publish("bob", "small"));
        engine.usePolicy(FanoutPolicy.hybrid(1));
        engine.follow("alice", "bob");
        publish("bob", 1);
        row("publish, hybrid, large author", () -> engine.publish("bob", "large"));
        row("publish a batch of 500, push", () -> {
            engine.usePolicy(FanoutPolicy.push());
            engine.publishAll(IntStream.range(0, 500)
                    .mapToObj(i -> post("carol", "c" + i))
                    .toList());
        });
        row("delete", () -> engine.delete("bob", "pushed"));
    }

    @Test
    @DisplayName("is right about reading")
    void reading() {
        FeedPage<Post> page = fullInbox();
        row("read the first page, none pulled", () -> engine.read("alice", PageRequest.first(20)));
        row("read an older page in the inbox", () -> engine.read("alice", PageRequest.older(older(page), 20)));
        FeedPage<Post> last = engine.read("alice", PageRequest.older(older(page), CAP - 20));
        row("read an older page below the floor", () -> engine.read("alice", PageRequest.older(older(last), 20)));
        row("read with content, none pulled", () -> engine.read("alice", PageRequest.first(20), this::content));

        engine.markSeen("alice", older(page));
        engine.unread("alice");
        row("count unread, none pulled", () -> engine.unread("alice"));

        engine.follow("eve", "bob");
        engine.usePolicy(FanoutPolicy.pull());
        IntStream.range(0, PULLED).forEach(i -> {
            engine.follow("alice", "pulled-" + i);
            publish("pulled-" + i, 1);
        });
        engine.read("alice", PageRequest.first(20));
        row("read the first page, 50 pulled authors, cached", () -> engine.read("alice", PageRequest.first(20)));
        clock.step(FeedEngineBuilder.DEFAULT_STALENESS);
        engine.read("alice", PageRequest.first(20));
        clock.step(FeedEngineBuilder.DEFAULT_STALENESS);
        row("read the first page, 50 pulled authors, once a second", () -> engine.read("alice", PageRequest.first(20)));
        try (FeedEngine other = engine(builder -> builder)) {
            row(
                    "read the first page for the first time on an engine",
                    () -> other.read("alice", PageRequest.first(20)));
        }
        clock.step(FeedEngineBuilder.DEFAULT_RECONCILE_INTERVAL);
        row(
                "read the first page, once a day (reconciling) on an engine without workers",
                () -> engine.read("alice", PageRequest.first(20)));
        row("read the first page without an inbox (rebuilding)", () -> engine.read("dave", PageRequest.first(20)));
        row("mark as seen", () -> engine.markSeen("alice", page.newer()));
        engine.fanout().drain();
        row("count unread for the first time on an engine", () -> engine.unread("dave"));
        row("count unread, below the inbox", () -> engine.unread("dave"));
        engine.unread("alice");
        row("count unread, 50 pulled authors, cached", () -> engine.unread("alice"));
        publish("pulled-1", MORE_THAN_CACHED);
        engine.unread("alice");
        row("count unread, a pulled author with many posts", () -> engine.unread("alice"));
        row("count unread, no inbox", () -> engine.unread("eve"));
        row("read an author's page", () -> engine.readAuthor("bob", PageRequest.first(20)));
        engine.read("alice", PageRequest.first(20));
        try (FeedEngine other = engine(builder -> builder)) {
            other.usePolicy(FanoutPolicy.pull());
            other.publish("pulled-2", "news");
            other.fanout().drain();
        }
        clock.step(FeedEngineBuilder.DEFAULT_STALENESS);
        row(
                "read the first page, 50 pulled authors, one of whom has posted",
                () -> engine.read("alice", PageRequest.first(20)));
    }

    @Test
    @DisplayName("is right about following and repairing")
    void following() {
        fullInbox();
        publish("carol", 20);
        engine.fanout().drain();
        store.takeCalls();
        row("follow", () -> engine.follow("alice", "carol"));
        row("unfollow", () -> engine.unfollow("alice", "carol"));
        row("rebuild", () -> engine.rebuild("alice"));
        row("refresh, nothing missing", () -> engine.refresh("alice"));
        publish("bob", 1);
        row("refresh, a post missing", () -> engine.refresh("alice"));
    }

    @Test
    @DisplayName("is right about fan-out")
    void fanout() {
        follow("bob", BATCH - 1);
        follow("carol", 3 * BATCH);
        engine.read(reader(0), PageRequest.first(1));
        engine.publish("bob", "one");
        row("fan out a post, one batch of followers", () -> engine.fanout().drain());
        engine.publish("carol", "three");
        row("fan out a post, three batches of followers", () -> engine.fanout().drain());
        IntStream.range(0, 4).forEach(i -> engine.publish("bob", "many" + i));
        row("fan out four posts, a batch each", () -> engine.fanout().drain());
        engine.delete("bob", "one");
        row("hold a retraction back", () -> engine.fanout().drain());
        clock.step(FeedEngineBuilder.DEFAULT_LEASE);
        row(
                "retract a deleted post, one batch of followers",
                () -> engine.fanout().drain());
    }

    private void row(String operation, Runnable action) {
        store.takeCalls();
        action.run();
        List<String> calls = withoutTurns(store.takeCalls());
        rows.add("| " + operation + " | " + calls.size() + " | " + String.join(", ", calls) + " |");
    }

    /**
     * On a slow machine a worker's quantum of time ends early, and it gives its task back and claims it again where it
     * would have checkpointed.
     */
    private static List<String> withoutTurns(List<String> calls) {
        String joined = String.join(",", calls);
        return List.of(joined.replace("log.release,log.claim", "log.checkpoint").split(",", -1));
    }

    private FeedPage<Post> fullInbox() {
        engine.follow("alice", "bob");
        engine.follow("dave", "bob");
        publish("bob", 3 * CAP);
        engine.fanout().drain();
        return engine.read("alice", PageRequest.first(20));
    }

    private void publish(String author, int count) {
        for (int i = 0; i < count; i++) {
            clock.step(Duration.ofMillis(1));
            engine.publish(author, author + clock.millis());
        }
    }

    private void follow(String author, int followers) {
        IntStream.range(0, followers).forEach(i -> engine.follow(reader(i), author));
    }

    private static String reader(int number) {
        return String.format("reader-%03d", number);
    }

    private Post post(String author, String id) {
        return new Post(author, id, clock.instant());
    }

    private Map<Post, String> content(List<Post> posts) {
        return posts.stream().collect(Collectors.toMap(post -> post, Post::id));
    }

    private static Cursor older(FeedPage<Post> page) {
        return page.older().orElseThrow();
    }

    private static final class SteppedClock extends Clock {
        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        void step(Duration duration) {
            now = now.plus(duration);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
