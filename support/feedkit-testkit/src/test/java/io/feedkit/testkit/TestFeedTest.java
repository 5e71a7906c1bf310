package io.feedkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.feedkit.EngineClosedException;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineTestKit;

@DisplayName("A feed for the tests of a host")
class TestFeedTest {

    private static final PageRequest FIRST = PageRequest.first(20);

    @RegisterExtension
    final TestFeed feed = TestFeed.inMemory(builder -> builder.ownPosts(true));

    @BeforeEach
    void begin() {
        feed.engine().follow("ann", "bob");
    }

    @Test
    @DisplayName("is there from @BeforeEach on, with settings of the test, and posts arrive with a drain")
    void shows() {
        assertThat(feed.engine().read("ann", FIRST).items()).isEmpty();
        feed.engine().publish("bob", "p1");
        assertThat(feed.engine().fanout().backlog().due()).isOne();
        assertThat(feed.drain()).isOne();
        assertThat(feed.engine().read("ann", FIRST).items())
                .extracting(Post::id)
                .containsExactly("p1");
        assertThat(feed.engine().read("bob", FIRST).items())
                .extracting(Post::id)
                .containsExactly("p1");
    }

    @Test
    @DisplayName("goes by a clock that stands still until the test moves it, and begins anew with each test")
    void clock() {
        assertThat(feed.clock().instant()).isEqualTo(TestFeed.START);
        feed.clock().advance(Duration.ofDays(30));
        Post post = feed.engine().publish("bob", "p1").post();
        assertThat(post.publishedAt()).isEqualTo(TestFeed.START.plus(Duration.ofDays(30)));
        FeedPage<Post> page = feed.engine().read("ann", FIRST);
        assertThat(page.items()).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    @DisplayName("has a store, for transactions")
    void transactions() {
        try (InMemoryTransaction transaction = feed.store().begin()) {
            feed.engine().publish(new Post("bob", "p1", feed.clock().instant()), transaction);
            transaction.commit();
        }
        feed.drain();
        assertThat(feed.engine().read("ann", FIRST).items()).hasSize(1);
    }

    @Test
    @DisplayName("gives parameters of its types")
    void parameters(FeedEngine engine, SettableClock clock, InMemoryFeedStore store, TestFeed itself) {
        assertThat(engine).isSameAs(feed.engine());
        assertThat(clock).isSameAs(feed.clock());
        assertThat(store).isSameAs(feed.store());
        assertThat(itself).isSameAs(feed);
    }

    @Nested
    @DisplayName("in a nested class")
    class Inner {
        @Test
        @DisplayName("is the one of the test")
        void one(FeedEngine engine) {
            assertThat(engine.isFollowing("ann", "bob")).isTrue();
        }
    }

    /** Run by the test below. */
    @ExtendWith(TestFeed.class)
    static class ByAnnotation {
        static final List<FeedEngine> ENGINES = new ArrayList<>();

        @Test
        void one(FeedEngine engine, TestFeed feed) {
            assertThat(feed.engine()).isSameAs(engine);
            ENGINES.add(engine);
        }

        @Test
        void other(FeedEngine engine) {
            ENGINES.add(engine);
        }
    }

    @Test
    @DisplayName("is also made by an annotation; each test has an engine of its own, which is closed after it")
    void annotation() {
        ByAnnotation.ENGINES.clear();
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(ByAnnotation.class))
                .execute()
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(2).failed(0));
        assertThat(ByAnnotation.ENGINES)
                .doesNotHaveDuplicates()
                .hasSize(2)
                .allSatisfy(engine -> assertThatThrownBy(() -> engine.publish("bob", "p1"))
                        .isInstanceOf(EngineClosedException.class));
    }

    @Test
    @DisplayName("is there only while a test runs")
    void outside() {
        TestFeed other = TestFeed.inMemory();
        assertThatThrownBy(other::engine)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("no test is running");
        assertThatThrownBy(() -> TestFeed.inMemory(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("settings must not be null");
    }
}
