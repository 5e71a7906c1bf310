package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.event.FeedListener;
import io.feedkit.event.FollowChanged;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A follow graph that the host keeps")
class HostGraphTest {

    private static final PageRequest FIRST = PageRequest.first(100);

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final HostsTable table = new HostsTable();
    private final FeedStore store = table.in(memory);
    private final List<FollowChanged> told = new CopyOnWriteArrayList<>();
    private Runnable whenTold = () -> {};
    private final FeedEngine feed = FeedEngine.builder(store)
            .name("evening")
            .clock(clock)
            .workers(0)
            .listener(new FeedListener() {
                @Override
                public void followChanged(FollowChanged event) {
                    told.add(event);
                    whenTold.run();
                }
            })
            .build();
    private final FeedEngine other =
            FeedEngine.builder(store).clock(clock).workers(0).build();

    @AfterEach
    void close() {
        feed.close();
        other.close();
    }

    /** Ann follows zoe and has a live inbox, on both engines; bob has published, unfollowed. */
    private Post annIsLive() {
        table.insert("ann", "zoe");
        feed.read("ann", FIRST);
        other.read("ann", FIRST);
        Post post = feed.publish("bob", "p1").post();
        feed.fanout().drain();
        return post;
    }

    private static List<Post> page(FeedEngine engine) {
        return engine.read("ann", FIRST).items();
    }

    private StoreDump dump() {
        return StoreDump.of(store, "ann", "bob", "zoe");
    }

    @Test
    @DisplayName("is refused to hosts whose graph FeedKit writes, and follow is refused to the others")
    void rightDoor() {
        try (FeedEngine writing = FeedEngine.builder(memory).workers(0).build()) {
            assertThatThrownBy(writing::hostGraph)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "hostGraph is for a follow graph that FeedKit only reads, but FeedKit writes this graph:"
                                    + " call follow and unfollow");
        }
        Map<String, Runnable> refused = new LinkedHashMap<>();
        refused.put("follow", () -> feed.follow("ann", "bob"));
        refused.put("follow ", () -> feed.followAll("ann", List.of("bob")));
        refused.put("unfollow", () -> feed.unfollow("ann", "bob"));
        refused.put("unfollow ", () -> feed.unfollowAll("ann", List.of("bob")));
        refused.forEach((name, call) -> assertThatThrownBy(call::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(name.trim() + " needs a writable follow graph, but this graph is the host's own: write it"
                        + " and call hostGraph()." + name.trim() + "ed"));
        assertThat(feed.hostGraph()).isSameAs(feed.hostGraph());
    }

    /** Every method, with a reader and authors. */
    private interface Report {
        void about(HostGraph graph, String reader, String author);
    }

    private static Map<String, Report> reports(PublishTransaction transaction) {
        Map<String, Report> reports = new LinkedHashMap<>();
        reports.put("followed", HostGraph::followed);
        reports.put("unfollowed", HostGraph::unfollowed);
        reports.put("followedAll", (graph, reader, author) -> graph.followedAll(reader, Arrays.asList("zoe", author)));
        reports.put(
                "unfollowedAll", (graph, reader, author) -> graph.unfollowedAll(reader, Arrays.asList("zoe", author)));
        reports.putAll(reportsIn(transaction));
        return reports;
    }

    private static Map<String, Report> reportsIn(PublishTransaction transaction) {
        Map<String, Report> reports = new LinkedHashMap<>();
        reports.put("followed in", (graph, reader, author) -> graph.followed(reader, author, transaction));
        reports.put("unfollowed in", (graph, reader, author) -> graph.unfollowed(reader, author, transaction));
        reports.put(
                "followedAll in",
                (graph, reader, author) -> graph.followedAll(reader, Arrays.asList("zoe", author), transaction));
        reports.put(
                "unfollowedAll in",
                (graph, reader, author) -> graph.unfollowedAll(reader, Arrays.asList("zoe", author), transaction));
        return reports;
    }

    static Stream<Arguments> badIds() {
        return Stream.of("followed", "unfollowed", "followedAll", "unfollowedAll")
                .flatMap(name -> Stream.of(name, name + " in"))
                .flatMap(name -> Stream.of(null, "", "a b", "x".repeat(65)).map(id -> Arguments.of(name, id)));
    }

    @ParameterizedTest(name = "{0} \"{1}\"")
    @MethodSource("badIds")
    @DisplayName("takes no report about an id that is not 1 to 64 visible ASCII characters")
    void badId(String name, String id) {
        annIsLive();
        StoreDump before = dump();
        try (InMemoryTransaction transaction = memory.begin()) {
            Report report = reports(transaction).get(name);
            assertThatThrownBy(() -> report.about(feed.hostGraph(), id, "bob"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("reader must ");
            assertThatThrownBy(() -> report.about(feed.hostGraph(), "ann", id))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(name.contains("All") ? "authors[1] must " : "author must ");
        }
        assertThat(dump()).isEqualTo(before);
    }

    @Test
    @DisplayName("takes no report of null authors, nor in a transaction that is null, over, or another store's")
    void badTransaction() {
        assertThatThrownBy(() -> feed.hostGraph().followedAll("ann", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("authors must not be null");
        InMemoryTransaction over = memory.begin();
        over.commit();
        InMemoryTransaction foreign = InMemoryFeedStore.create().begin();
        for (PublishTransaction bad : new PublishTransaction[] {null, over, foreign, new PublishTransaction() {}}) {
            reportsIn(bad)
                    .forEach((name, report) -> assertThatThrownBy(() -> report.about(feed.hostGraph(), "ann", "bob"))
                            .as(name)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageStartingWith("transaction"));
        }
        Outbox plain = (Outbox) Proxy.newProxyInstance(
                HostGraphTest.class.getClassLoader(),
                new Class<?>[] {Outbox.class},
                (proxy, method, arguments) -> method.invoke(memory.outbox(), arguments));
        try (FeedEngine without = FeedEngine.builder(FeedStore.of(plain, memory::inbox, table, memory.seenMarks()))
                        .workers(0)
                        .build();
                InMemoryTransaction transaction = memory.begin()) {
            assertThatThrownBy(() -> without.hostGraph().followed("ann", "bob", transaction))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("transaction", "does not take part in transactions");
        }
        assertThat(table.questions()).isZero();
    }

    @Test
    @DisplayName("takes no report after the engine is closed")
    void closed() {
        HostGraph graph = feed.hostGraph();
        annIsLive();
        StoreDump before = dump();
        feed.close();
        reports(memory.begin())
                .forEach((name, report) -> assertThatThrownBy(() -> report.about(graph, "ann", "bob"))
                        .as(name)
                        .isInstanceOf(EngineClosedException.class));
        assertThat(dump()).isEqualTo(before);
    }

    @Test
    @DisplayName("has its changes in feeds, and told to the listener, when a report returns")
    void afterCommit() {
        Post post = annIsLive();
        table.insert("ann", "bob");
        feed.hostGraph().followedAll("ann", List.of("bob", "ann", "bob"));
        assertThat(told).containsExactly(FollowChanged.of("ann", "bob", true));
        assertThat(page(feed)).containsExactly(post);
        assertThat(page(other)).containsExactly(post);
        table.delete("ann", "bob");
        feed.hostGraph().unfollowedAll("ann", List.of("bob", "ann", "bob"));
        assertThat(told).hasSize(2).last().isEqualTo(FollowChanged.of("ann", "bob", false));
        assertThat(page(feed)).isEmpty();
        assertThat(page(other)).isEmpty();
    }

    @Test
    @DisplayName("has its changes in feeds after the age of followees if they were reported before the commit")
    void beforeCommit() {
        Post post = annIsLive();
        feed.hostGraph().followed("ann", "bob");
        assertThat(dump().inboxes().get(0).posts()).isEmpty();
        assertThat(page(feed)).isEmpty();
        table.insert("ann", "bob");
        clock.advance(FeedEngineBuilder.DEFAULT_FOLLOWEE_AGE);
        assertThat(page(feed)).containsExactly(post);
        feed.hostGraph().unfollowed("ann", "bob");
        assertThat(page(feed)).containsExactly(post);
        table.delete("ann", "bob");
        clock.advance(FeedEngineBuilder.DEFAULT_FOLLOWEE_AGE);
        assertThat(page(feed)).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    @DisplayName("has no posts of an author in an inbox who is unfollowed before a late report of the follow")
    void lateReport() {
        annIsLive();
        table.insert("ann", "bob");
        table.delete("ann", "bob");
        feed.hostGraph().unfollowed("ann", "bob");
        feed.hostGraph().followed("ann", "bob");
        assertThat(dump().inboxes().get(0).posts()).isEmpty();
        assertThat(told).containsExactly(FollowChanged.of("ann", "bob", false));
    }

    /** Reports in transactions. The table has an edge from the commit on. */
    @Nested
    class InTransactions {

        @Test
        @DisplayName("show on the first page and in the first count after the commit, and not before")
        void firstPage() {
            Post post = annIsLive();
            try (InMemoryTransaction transaction = memory.begin()) {
                feed.hostGraph().followed("ann", "bob", transaction);
                assertThat(page(feed)).isEmpty();
                assertThat(feed.unread("ann").count()).isZero();
                table.insert("ann", "bob");
                transaction.commit();
            }
            assertThat(feed.unread("ann").count()).isOne();
            assertThat(page(feed)).containsExactly(post);
            assertThat(page(other)).containsExactly(post);
            assertThat(told).containsExactly(FollowChanged.of("ann", "bob", true));
            try (InMemoryTransaction transaction = memory.begin()) {
                feed.hostGraph().unfollowed("ann", "bob", transaction);
                assertThat(page(feed)).containsExactly(post);
                table.delete("ann", "bob");
                transaction.commit();
            }
            assertThat(page(feed)).isEmpty();
            assertThat(page(other)).isEmpty();
            assertThat(feed.unread("ann").count()).isZero();
            assertThat(told).hasSize(2).last().isEqualTo(FollowChanged.of("ann", "bob", false));
        }

        @Test
        @DisplayName("change nothing if they are rolled back, and are forgotten after an hour")
        void rolledBack() {
            annIsLive();
            table.insert("ann", "cat");
            feed.hostGraph().followed("ann", "cat");
            told.clear();
            StoreDump before = dump();
            try (InMemoryTransaction transaction = memory.begin()) {
                feed.hostGraph().followed("ann", "bob", transaction);
                feed.hostGraph().unfollowed("ann", "cat", transaction);
            }
            feed.unread("ann");
            feed.fanout().drain();
            assertThat(dump()).isEqualTo(before);
            assertThat(told).isEmpty();
            int asked = table.questions();
            clock.advance(Duration.ofHours(1));
            feed.unread("ann");
            feed.fanout().drain();
            assertThat(table.questions()).isEqualTo(asked);
        }

        @Test
        @DisplayName("survive a refresh and a rebuild before the commit")
        void refreshedBefore() {
            Post post = annIsLive();
            try (InMemoryTransaction transaction = memory.begin()) {
                feed.hostGraph().followed("ann", "bob", transaction);
                feed.refresh("ann");
                other.rebuild("ann");
                table.insert("ann", "bob");
                transaction.commit();
            }
            assertThat(page(feed)).containsExactly(post);
            assertThat(page(other)).containsExactly(post);
        }

        @Test
        @DisplayName("are found by a drain, and shown on every engine then")
        void drained() {
            Post post = annIsLive();
            try (InMemoryTransaction transaction = memory.begin()) {
                feed.hostGraph().followedAll("ann", List.of("bob", "ann"), transaction);
                table.insert("ann", "bob");
                transaction.commit();
            }
            assertThat(page(other)).isEmpty();
            feed.fanout().drain();
            assertThat(page(other)).containsExactly(post);
        }

        @Test
        @DisplayName("are found by a read of any feed on an engine without workers")
        void foundByOtherReads() {
            Post post = annIsLive();
            try (InMemoryTransaction transaction = memory.begin()) {
                feed.hostGraph().followed("ann", "bob", transaction);
                table.insert("ann", "bob");
                transaction.commit();
            }
            feed.read("dan", FIRST);
            assertThat(page(other)).containsExactly(post);
        }

        @Test
        @DisplayName("are found by workers long before the poll interval is over")
        void foundByWorkers() {
            Post post = annIsLive();
            try (FeedEngine working = FeedEngine.builder(store)
                            .workers(1)
                            .fanout(fanout -> fanout.pollInterval(Duration.ofHours(1)))
                            .build();
                    InMemoryTransaction transaction = memory.begin()) {
                working.hostGraph().followed("ann", "bob", transaction);
                await().until(() -> table.questions() > 1);
                table.insert("ann", "bob");
                transaction.commit();
                await().atMost(Duration.ofSeconds(10)).until(() -> page(other).contains(post));
            }
        }

        @Test
        @DisplayName("of a process that ends show after the age of followees, by themselves")
        void processEnds() {
            Post post = annIsLive();
            try (InMemoryTransaction transaction = memory.begin()) {
                feed.hostGraph().followed("ann", "bob", transaction);
                table.insert("ann", "bob");
                transaction.commit();
            }
            feed.close();
            assertThat(page(other)).isEmpty();
            clock.advance(FeedEngineBuilder.DEFAULT_FOLLOWEE_AGE);
            assertThat(page(other)).containsExactly(post);
        }

        @Test
        @DisplayName("wait while the graph is down, and pages go on")
        void graphDown() {
            Post post = annIsLive();
            try (InMemoryTransaction transaction = memory.begin()) {
                feed.hostGraph().followed("ann", "bob", transaction);
                table.insert("ann", "bob");
                transaction.commit();
            }
            table.breakDown(true);
            assertThat(page(feed)).isEmpty();
            table.breakDown(false);
            await().untilAsserted(() -> assertThat(page(feed)).containsExactly(post));
        }

        @Test
        @DisplayName("both ways in one transaction end as the graph does")
        void backAndForth() {
            Post post = annIsLive();
            try (InMemoryTransaction transaction = memory.begin()) {
                feed.hostGraph().followed("ann", "bob", transaction);
                feed.hostGraph().unfollowed("ann", "bob", transaction);
                feed.hostGraph().followed("ann", "bob", transaction);
                table.insert("ann", "bob");
                transaction.commit();
            }
            assertThat(page(feed)).containsExactly(post);
            assertThat(feed.refresh("ann")).isZero();
        }

        @Test
        @DisplayName("are not taken for earlier ones that are found meanwhile")
        void madeAgainMeanwhile() {
            Post post = annIsLive();
            try (InMemoryTransaction first = memory.begin();
                    InMemoryTransaction second = memory.begin()) {
                feed.hostGraph().followed("ann", "bob", first);
                table.insert("ann", "bob");
                first.commit();
                table.afterQuestion(() -> {
                    table.delete("ann", "bob");
                    feed.hostGraph().followed("ann", "bob", second);
                });
                assertThat(page(feed)).isEmpty();
                table.insert("ann", "bob");
                second.commit();
            }
            assertThat(page(feed)).containsExactly(post);
        }

        @Test
        @DisplayName("let the listener read the feed")
        void listenerReads() {
            Post post = annIsLive();
            List<Post> read = new CopyOnWriteArrayList<>();
            whenTold = () -> read.addAll(page(feed));
            try (InMemoryTransaction transaction = memory.begin()) {
                feed.hostGraph().followed("ann", "bob", transaction);
                table.insert("ann", "bob");
                transaction.commit();
            }
            feed.fanout().drain();
            assertThat(read).containsExactly(post);
        }

        @Test
        @DisplayName("of many authors take few questions")
        void many() {
            annIsLive();
            feed.usePolicy(FanoutPolicy.pull());
            List<String> authors =
                    IntStream.range(0, 1500).mapToObj(i -> "author-" + i).toList();
            try (InMemoryTransaction transaction = memory.begin()) {
                feed.hostGraph().followedAll("ann", authors, transaction);
                authors.forEach(author -> table.insert("ann", author));
                transaction.commit();
            }
            int asked = table.questions();
            page(feed);
            assertThat(table.questions() - asked).isEqualTo(3);
            assertThat(told).hasSize(1500);
        }
    }
}
