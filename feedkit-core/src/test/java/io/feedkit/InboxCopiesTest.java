package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.event.CopyStep;
import io.feedkit.event.FeedListener;
import io.feedkit.event.InboxRebuilt;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryInboxCopies;
import io.feedkit.memory.InMemoryPostArchive;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.InboxCopies.Head;
import io.feedkit.spi.InboxCopies.Part;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A reader who comes back after the inbox has ended")
class InboxCopiesTest {

    private static final int DEPTH = 10;
    private static final Duration AWAY = Duration.ofDays(9);

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);
    private final InMemoryInboxCopies copies = InMemoryInboxCopies.create(clock);
    private final List<InboxRebuilt> rebuilt = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private final List<FeedEngine> engines = new ArrayList<>();

    @AfterEach
    void close() {
        engines.forEach(FeedEngine::close);
    }

    private FeedEngineBuilder builder(InboxCopies with) {
        return FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .cap(50)
                .inboxCopies(with)
                .copying(copying -> copying.depth(DEPTH))
                .listener(new FeedListener() {
                    @Override
                    public void rebuilt(InboxRebuilt event) {
                        rebuilt.add(event);
                    }

                    @Override
                    public void copied(CopyStep event) {
                        steps.add(event.outcome()
                                + event.reason().map(" "::concat).orElse(""));
                    }
                });
    }

    private FeedEngine engine(UnaryOperator<FeedEngineBuilder> settings) {
        engines.add(settings.apply(builder(copies)).build());
        return engines.get(engines.size() - 1);
    }

    private FeedEngine engine() {
        return engine(UnaryOperator.identity());
    }

    private void publish(FeedEngine feed, String author, String... ids) {
        for (String id : ids) {
            clock.advance(Duration.ofMinutes(1));
            feed.publish(author, id);
        }
        feed.fanout().drain();
    }

    private static String[] ids(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(n -> prefix + n).toArray(String[]::new);
    }

    /** The reader follows two authors, and has an inbox, which is copied. */
    private FeedEngine copied(FeedEngine feed) {
        feed.followAll("ann", List.of("bob", "cat"));
        publish(feed, "bob", ids("b", 20));
        publish(feed, "cat", ids("c", 3));
        clock.advance(Duration.ofMinutes(1));
        walk(feed);
        assertThat(copies.heads(List.of("ann")).get(0)).isPresent();
        return feed;
    }

    private static List<Post> walk(FeedEngine feed) {
        List<Post> walked = new ArrayList<>();
        FeedPage<Post> page = feed.read("ann", PageRequest.first(7));
        walked.addAll(page.items());
        while (page.older().isPresent()) {
            page = feed.read("ann", PageRequest.older(page.older().get(), 7));
            walked.addAll(page.items());
        }
        return walked;
    }

    /** What the inbox itself holds: a page hides posts that should not be there. */
    private List<Post> inbox() {
        return store.inbox(new InboxLimits(50, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis()))
                .slice(List.of(new SliceQuery("ann", PositionRange.ALL, Order.NEWEST_FIRST, 100, false)))
                .get(0)
                .posts();
    }

    private void comesBack() {
        clock.advance(AWAY);
        rebuilt.clear();
        steps.clear();
    }

    /** Expects the feed that an engine without copies shows, and whether the copy was used. */
    private void assertSame(FeedEngine feed, boolean fromCopy) {
        List<Post> walked = walk(feed);
        assertThat(rebuilt).extracting(InboxRebuilt::fromCopy).containsExactly(fromCopy);
        try (FeedEngine plain =
                FeedEngine.builder(store).clock(clock).workers(0).cap(50).build()) {
            plain.rebuild("ann");
            assertThat(walked).isEqualTo(walk(plain));
        }
    }

    @Test
    @DisplayName("has the same feed, from the copy")
    void same() {
        FeedEngine feed = copied(engine());
        assertThat(steps).containsExactly("MADE");
        comesBack();
        assertSame(feed, true);
        assertThat(steps).containsExactly("USED");
    }

    @Test
    @DisplayName("has what was published meanwhile, pushed, pulled, back-dated and imported")
    void published() {
        FeedEngine feed = copied(engine());
        clock.advance(AWAY);
        publish(feed, "bob", ids("n", 3));
        feed.usePolicy(FanoutPolicy.pull());
        publish(feed, "cat", "pulled");
        feed.publish(new Post("cat", "late", clock.instant().minus(AWAY).minus(Duration.ofMinutes(5))));
        feed.importPosts(
                List.of(new Post("bob", "imported", clock.instant().minus(AWAY).minus(Duration.ofMinutes(3)))));
        feed.fanout().drain();
        // Longer than a clock may be set back: the posts are found by the mark of the copy.
        clock.advance(Duration.ofMinutes(10));
        rebuilt.clear();
        assertSame(feed, true);
        assertThat(walk(feed)).extracting(Post::id).contains("late", "imported", "pulled", "n2");
    }

    @Test
    @DisplayName("has all posts of an author who has published very many meanwhile")
    void many() {
        FeedEngine feed = copied(engine());
        clock.advance(AWAY);
        publish(feed, "bob", ids("n", 60));
        rebuilt.clear();
        assertSame(feed, true);
    }

    @Test
    @DisplayName("has no post that was deleted meanwhile, and none of authors who are not followed any more")
    void removed() {
        FeedEngine feed = copied(engine());
        clock.advance(AWAY);
        feed.delete("bob", "b19");
        feed.unfollow("ann", "cat");
        feed.fanout().drain();
        // Longer than a clock may be set back: the deletion is found by the mark of the copy.
        clock.advance(Duration.ofMinutes(10));
        feed.fanout().drain();
        rebuilt.clear();
        walk(feed);
        assertThat(inbox()).extracting(Post::id).doesNotContain("b19", "c2").contains("b18");
        assertSame(feed, true);
    }

    @Test
    @DisplayName("has the posts of authors who are followed since, but not from the copy if there are many of them")
    void followed() {
        FeedEngine feed = copied(engine());
        publish(feed, "dan", ids("d", 4));
        clock.advance(AWAY);
        feed.follow("ann", "dan");
        rebuilt.clear();
        assertSame(feed, true);
        assertThat(walk(feed)).extracting(Post::id).contains("d3");
        feed.followAll("ann", List.of(ids("many", 51)));
        comesBack();
        assertSame(feed, false);
        assertThat(steps).containsExactly("UNUSABLE OUTDATED", "MADE");
    }

    @Test
    @DisplayName("has own posts if they belong to the feed")
    void own() {
        FeedEngine feed = copied(engine(builder -> builder.ownPosts(true)));
        publish(feed, "ann", "own");
        clock.advance(AWAY);
        rebuilt.clear();
        assertThat(walk(feed)).extracting(Post::id).contains("own", "b19");
        assertThat(rebuilt).extracting(InboxRebuilt::fromCopy).containsExactly(true);
    }

    @Test
    @DisplayName("has a post that was appended late, and has moved to the archive")
    void archived() {
        InMemoryPostArchive archive = InMemoryPostArchive.create();
        FeedEngine feed = copied(engine(builder -> builder.archive(archive)
                .archiving(archiving -> archiving.after(Duration.ofDays(3)).postsPerSecond(1_000_000))));
        clock.advance(AWAY);
        feed.publish(new Post("cat", "late", clock.instant().minus(AWAY).minus(Duration.ofMinutes(5))));
        feed.fanout().drain();
        clock.advance(Duration.ofSeconds(2));
        assertThat(feed.archivePosts()).isPositive();
        rebuilt.clear();
        assertThat(walk(feed)).extracting(Post::id).contains("late", "b0").doesNotHaveDuplicates();
        assertThat(rebuilt).extracting(InboxRebuilt::fromCopy).containsExactly(true);
    }

    @Test
    @DisplayName("has the feed of the outboxes if the copy has expired, or a loss was declared since")
    void tooOld() {
        FeedEngine feed = copied(engine());
        clock.advance(Duration.ofDays(31));
        rebuilt.clear();
        assertSame(feed, false);
        comesBack();
        assertSame(feed, true);
        clock.advance(Duration.ofMinutes(10));
        feed.fanout().distrustInboxes();
        comesBack();
        assertSame(feed, false);
    }

    @Test
    @DisplayName("has no copy any more after forget")
    void forgotten() {
        FeedEngine feed = copied(engine());
        Head head = copies.heads(List.of("ann")).get(0).orElseThrow();
        feed.forget("ann");
        assertThat(copies.heads(List.of("ann")).get(0)).isEmpty();
        assertThat(copies.parts(List.of(head)).get(0)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @DisplayName("has the feed of the outboxes, and a new copy, if the copy is damaged or lacks a part")
    void damaged(int damage) {
        FeedEngine feed = copied(engine());
        Head head = copies.heads(List.of("ann")).get(0).orElseThrow();
        List<Part> parts = copies.parts(List.of(head)).get(0);
        switch (damage) {
            case 0 -> parts.get(parts.size() - 1).content()[3] ^= 1;
            case 1 -> head.content()[head.content().length - 1] ^= 1;
            case 2 -> head.content()[0] = 99;
            default -> copies.publish(List.of(new Head("ann", head.token() + 1, head.content())), 1_000_000_000);
        }
        comesBack();
        assertSame(feed, false);
        assertThat(steps).containsExactly("UNUSABLE " + (damage == 2 ? "OTHER_VERSION" : "DAMAGED"), "MADE");
        assertThat(copies.heads(List.of("ann")).get(0).orElseThrow().token()).isNotEqualTo(head.token());
        comesBack();
        assertSame(feed, true);
    }

    @Test
    @DisplayName("has the feed of the outboxes while the store of copies is down")
    void down() {
        InboxCopies broken = (InboxCopies) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {InboxCopies.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("describe")) {
                        return List.of();
                    }
                    throw new StoreUnavailableException("copies." + method.getName(), null);
                });
        try (FeedEngine feed = builder(broken).build()) {
            feed.followAll("ann", List.of("bob", "cat"));
            publish(feed, "bob", ids("b", 20));
            walk(feed);
            assertThat(steps).isNotEmpty().allMatch(step -> step.endsWith("copies.claim failed"));
            comesBack();
            assertSame(feed, false);
        }
    }

    @Test
    @DisplayName("does not notice that the store of copies throws what it should not")
    void broken() {
        InboxCopies broken = (InboxCopies) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {InboxCopies.class}, (proxy, method, arguments) -> {
                    return switch (method.getName()) {
                        case "describe" -> List.of();
                        case "claim" -> null;
                        default -> throw new IllegalStateException(method.getName());
                    };
                });
        try (FeedEngine feed = builder(broken).build()) {
            feed.followAll("ann", List.of("bob", "cat"));
            publish(feed, "bob", ids("b", 20));
            walk(feed);
            comesBack();
            assertSame(feed, false);
            assertThat(steps)
                    .containsExactly(
                            "FAILED java.lang.IllegalStateException: heads",
                            "FAILED java.lang.IllegalStateException: store");
        }
    }

    @Test
    @DisplayName("is copied again by another engine, at most once a day by each")
    void copiedAgain() {
        FeedEngine feed = copied(engine());
        Optional<Head> first = copies.heads(List.of("ann")).get(0);
        publish(feed, "bob", "more");
        feed.refresh("ann");
        assertThat(copies.heads(List.of("ann")).get(0)).isEqualTo(first);
        clock.advance(Duration.ofDays(1));
        feed.refresh("ann");
        assertThat(copies.heads(List.of("ann")).get(0)).isNotEqualTo(first);
        comesBack();
        assertSame(engine(), true);
    }

    @Test
    @DisplayName("from a copy made before an old post was published, has a feed whose times are right")
    void timesAreKept() {
        FeedEngine feed = copied(engine());
        List<Post> before = walk(feed);
        comesBack();
        assertThat(walk(feed)).isEqualTo(before);
        assertThat(before).extracting(Post::publishedAt).allMatch(at -> at.isAfter(Instant.EPOCH));
    }
}
