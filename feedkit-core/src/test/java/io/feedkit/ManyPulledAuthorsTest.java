package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Position;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A page of a reader who follows many pulled authors")
class ManyPulledAuthorsTest {

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));

    private FeedEngine engine(FanoutPolicy policy) {
        return builder(policy).build();
    }

    private FeedEngineBuilder builder(FanoutPolicy policy) {
        return FeedEngine.builder(store).clock(clock).workers(0).policy(policy);
    }

    /** One post of each author, a second older than that of the author before, and another a day older. */
    private static List<Post> follow(FeedEngine engine, int authors) {
        List<Post> posts = Stream.of(ManualClock.START, ManualClock.START.minus(Duration.ofDays(1)))
                .flatMap(newest -> IntStream.range(0, authors)
                        .mapToObj(i -> new Post("author" + i, "at" + newest, newest.minusSeconds(i))))
                .toList();
        engine.followAll(
                "ann", posts.subList(0, authors).stream().map(Post::author).toList());
        engine.read("ann", PageRequest.first(1));
        engine.publishAll(posts);
        return posts;
    }

    @Test
    @DisplayName("asks for the recent posts of no more authors than it can show posts of")
    void few() {
        try (FeedEngine engine = engine(FanoutPolicy.pull())) {
            List<Post> posts = follow(engine, 2000);
            AtomicInteger tooMany = new AtomicInteger();
            store.before("Outbox.newest", "author26", tooMany::incrementAndGet);
            int callsBefore = store.calls("Outbox.newest");
            assertThat(engine.read("ann", PageRequest.first(20)).items()).isEqualTo(posts.subList(0, 20));
            assertThat(store.calls("Outbox.newest") - callsBefore).as("calls").isEqualTo(1);
            assertThat(tooMany).as("calls for more than 26 authors").hasValue(0);
            assertThat(store.calls("Outbox.page")).as("merged pages").isZero();
        }
    }

    @Test
    @DisplayName("shows a post, small or large, when the register of its engine knows of it, and goes on showing it")
    void stays() {
        try (FeedEngine engine = engine(FanoutPolicy.pull());
                FeedEngine elsewhere = engine(FanoutPolicy.pull())) {
            List<Post> posts = follow(engine, 40);
            assertThat(engine.read("ann", PageRequest.first(20)).items()).isEqualTo(posts.subList(0, 20));
            Post post = elsewhere.publish("author39", "new").post();
            assertThat(engine.read("ann", PageRequest.first(40)).items()).doesNotContain(post);
            assertThat(engine.read("ann", PageRequest.first(20)).items()).doesNotContain(post);
            clock.advance(FeedEngineBuilder.DEFAULT_STALENESS);
            assertThat(engine.read("ann", PageRequest.first(20)).items()).contains(post);
            assertThat(engine.read("ann", PageRequest.first(40)).items()).contains(post);
            delete(engine, posts.get(79));
            assertThat(engine.read("ann", PageRequest.first(20)).items())
                    .as("after the author's recent posts were loaded again")
                    .contains(post);
        }
    }

    @Test
    @DisplayName("goes on showing a post of an author whose recent posts a larger page loaded again")
    void staysAfterRace() {
        try (FeedEngine engine = engine(FanoutPolicy.pull());
                FeedEngine elsewhere = engine(FanoutPolicy.pull())) {
            List<Post> posts = follow(engine, 40);
            Post post = elsewhere.publish("author39", "new").post();
            clock.advance(FeedEngineBuilder.DEFAULT_STALENESS);
            AtomicInteger deletes = new AtomicInteger();
            store.after("Outbox.newest", () -> {
                if (deletes.getAndIncrement() == 0) {
                    delete(engine, posts.get(79));
                }
            });
            assertThat(engine.read("ann", PageRequest.first(40)).items()).contains(post);
            assertThat(deletes).hasPositiveValue();
            assertThat(engine.read("ann", PageRequest.first(20)).items()).contains(post);
        }
    }

    private static void delete(FeedEngine engine, Post post) {
        assertThat(post.author()).isEqualTo("author39");
        engine.delete(post.author(), post.id());
    }

    @Test
    @DisplayName(
            "is one look at the inbox while no author's entry has changed, and loads only the posts of those whose has")
    void recentPostsStay() {
        try (FeedEngine engine = engine(FanoutPolicy.pull());
                FeedEngine elsewhere = engine(FanoutPolicy.pull())) {
            List<Post> posts = follow(engine, 200);
            clock.advance(FeedEngineBuilder.DEFAULT_STALENESS);
            assertThat(engine.unread("ann").count()).as("looks at all").isEqualTo(400);
            clock.advance(FeedEngineBuilder.DEFAULT_STALENESS);
            int slices = store.calls("Inbox.slice");
            int loads = store.calls("Outbox.newest");
            assertThat(engine.read("ann", PageRequest.first(20)).items()).isEqualTo(posts.subList(0, 20));
            assertThat(store.calls("Inbox.slice") - slices).isEqualTo(1);
            assertThat(store.calls("Outbox.newest") - loads).isZero();
            Post post = elsewhere.publish("author39", "new").post();
            clock.advance(FeedEngineBuilder.DEFAULT_STALENESS);
            assertThat(engine.read("ann", PageRequest.first(20)).items()).contains(post);
            assertThat(store.calls("Outbox.newest") - loads).isEqualTo(1);
        }
    }

    @ParameterizedTest(name = "{0} authors")
    @CsvSource({"1000, 1, 0", "1001, 0, 1"})
    @DisplayName("who all have newer posts asks for the recent posts of a thousand, and for one merged page of more")
    void all(int authors, int calls, int pages) {
        try (FeedEngine engine = engine(FanoutPolicy.pull())) {
            List<Post> posts = follow(engine, authors);
            FeedPage<Post> page = engine.read("ann", PageRequest.first(1000));
            clock.advance(Duration.ofSeconds(2));
            int callsBefore = store.calls("Outbox.newest");
            int pagesBefore = store.calls("Outbox.page");
            assertThat(engine.read("ann", PageRequest.older(page.older().orElseThrow(), 20))
                            .items())
                    .isEqualTo(posts.subList(1000, 1020));
            assertThat(store.calls("Outbox.newest") - callsBefore)
                    .as("calls for recent posts")
                    .isEqualTo(calls);
            assertThat(store.calls("Outbox.page") - pagesBefore)
                    .as("merged pages")
                    .isEqualTo(pages);
        }
    }

    @RepeatedTest(100)
    @DisplayName("shows all that they have, upwards and downwards, also if the newest of many was deleted")
    void whole(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        int authors = 10 + random.nextInt(100);
        double deleted = random.nextInt(3) * 0.4;
        FanoutPolicy policy = status -> status.author().startsWith("pulled") ? FanoutMode.PULL : FanoutMode.PUSH;
        try (FeedEngine engine = builder(policy).cap(10 + random.nextInt(50)).build();
                FeedEngine elsewhere = engine(policy)) {
            engine.follow("ann", "nobody");
            engine.read("ann", PageRequest.first(1));
            List<Post> posts = new ArrayList<>();
            for (int i = 0; i < authors; i++) {
                String author = (random.nextInt(4) > 0 ? "pulled" : "pushed") + i;
                engine.follow("ann", author);
                for (int n = random.nextInt(5); n > 0; n--) {
                    posts.add(new Post(author, "p" + n, time(random)));
                }
            }
            posts.sort((a, b) -> Position.compare(b, a));
            (random.nextBoolean() ? engine : elsewhere).publishAll(posts);
            List<Post> newest = posts.subList(0, posts.size() / 2);
            List<Post> gone = newest.stream()
                    .filter(post -> random.nextDouble() < deleted)
                    .toList();
            gone.forEach(post -> elsewhere.delete(post.author(), post.id()));
            engine.fanout().drain();
            clock.advance(Duration.ofSeconds(2));
            posts.removeAll(gone);
            int size = 1 + random.nextInt(40);
            List<Post> down = new ArrayList<>();
            FeedPage<Post> page = engine.read("ann", PageRequest.first(size));
            down.addAll(page.items());
            while (page.older().isPresent()) {
                page = engine.read("ann", PageRequest.older(page.older().get(), size));
                down.addAll(page.items());
            }
            assertThat(down).isEqualTo(posts);
            List<Post> up = new ArrayList<>(page.items());
            do {
                page = engine.read("ann", PageRequest.newer(page.newer(), size));
                up.addAll(0, page.items());
            } while (page.moreNewer());
            assertThat(up).isEqualTo(posts);
            assertThat(engine.unread("ann").count()).isEqualTo(posts.size());
        }
    }

    /** Many at the same time. */
    private static Instant time(Random random) {
        return ManualClock.START.minusSeconds(random.nextInt(60));
    }
}
