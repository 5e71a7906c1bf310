package io.feedkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.forwarding.ForwardingWritableFollowGraph;
import io.feedkit.testkit.forwarding.InterleavingStore;
import io.feedkit.verify.Finding;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A verification of many readers")
class VerifyTogetherTest {

    private static final int READERS = 120;
    private static final int AUTHORS = 30;
    private static final int MOST_FOLLOWEES = 8;
    private static final int POSTS = 6;

    /** More than are read at first of each author. */
    private static final int MANY_POSTS = 80;

    private static final int CAP = 60;
    private static final int DAMAGES = 12;
    private static final String STAR = "star";
    private static final VerifyRequest ALL_AT_ONCE = VerifyRequest.everything()
            .perSecond(1_000_000)
            .recheckAfter(Duration.ZERO)
            .keptFindings(100_000);

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);
    private final List<Post> posts = new ArrayList<>();

    private FeedEngine engine(FeedStore over) {
        return FeedEngine.builder(over)
                .clock(clock)
                .cap(CAP)
                .workers(0)
                .policy(status -> status.author().equals(STAR) ? FanoutMode.PULL : FanoutMode.PUSH)
                .build();
    }

    private static String reader(int number) {
        return "reader" + number;
    }

    private static String author(int number) {
        return number == 0 ? STAR : "author" + number;
    }

    /** Some readers have full inboxes, some have short ones, and some have none. */
    private void prepare(Random random) {
        try (FeedEngine engine = engine(store)) {
            for (int reader = 0; reader < READERS; reader++) {
                Set<String> followees = new TreeSet<>();
                for (int i = random.nextInt(MOST_FOLLOWEES); i >= 0; i--) {
                    followees.add(author(random.nextInt(AUTHORS)));
                }
                engine.followAll(reader(reader), followees);
                if (reader % 7 > 0) {
                    engine.read(reader(reader), PageRequest.first(1));
                }
            }
            for (int i = 0; i < MANY_POSTS; i++) {
                for (int author = 0; author < AUTHORS; author++) {
                    if (author % 5 == 1 || i < POSTS) {
                        clock.advance(Duration.ofSeconds(1));
                        posts.add(engine.publish(author(author), "p" + i).post());
                    }
                }
            }
            engine.fanout().drain();
        }
        clock.advance(Duration.ofSeconds(10));
    }

    @Test
    @DisplayName("takes few calls if nothing differs, whatever authors are pulled or post much")
    void fewCalls() {
        prepare(new Random(1));
        InterleavingStore counted = InterleavingStore.of(store);
        try (FeedEngine engine = engine(counted)) {
            VerifyReport report = engine.verify(ALL_AT_ONCE);
            assertThat(report.isClean()).isTrue();
            assertThat(report.checked().values()).allMatch(checked -> checked < 1000);
        }
        assertThat(counted.calls("outbox.page")).as("queries for one inbox").isZero();
        assertThat(counted.calls("inbox.slice"))
                .as("for 30 authors and 120 readers")
                .isLessThanOrEqualTo(4);
        assertThat(counted.calls("graph.followees"))
                .as("for 150 users and 120 readers")
                .isLessThanOrEqualTo(4);
        assertThat(counted.calls("outbox.newest")).isLessThan(20);
    }

    @ParameterizedTest(name = "damage {0}")
    @ValueSource(ints = {1, 2})
    @DisplayName("finds what comparisons one by one find, also if the store refuses to read of many readers at once")
    void sameFindings(int seed) {
        Random random = new Random(seed);
        prepare(random);
        damage(random);
        Set<String> together = findings(store);
        assertThat(together).isNotEmpty();
        assertThat(findings(oneByOne())).isEqualTo(together);
    }

    private Set<String> findings(FeedStore over) {
        try (FeedEngine engine = engine(over)) {
            VerifyReport report = engine.verify(ALL_AT_ONCE);
            assertThat(report.failed() + report.undecided()).isZero();
            Set<String> sentences = new TreeSet<>();
            report.findings().stream().map(Finding::sentence).forEach(sentences::add);
            return sentences;
        }
    }

    private FeedStore oneByOne() {
        ForwardingWritableFollowGraph graph = new ForwardingWritableFollowGraph() {
            @Override
            public WritableFollowGraph delegate() {
                return store.graph();
            }

            @Override
            public List<IdPage> followees(List<String> readers, int limit) {
                throw new StoreUnavailableException("graph.followees", null);
            }

            @Override
            public List<IdPage> followers(List<FollowerQuery> queries) {
                if (queries.size() > 1) {
                    throw new StoreUnavailableException("graph.followers", null);
                }
                return delegate().followers(queries);
            }
        };
        return FeedStore.of(store.outbox(), store::inbox, graph, store.seenMarks());
    }

    private void damage(Random random) {
        Inbox inbox = store.inbox(new InboxLimits(CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis()));
        for (int i = 0; i < DAMAGES; i++) {
            Post post = posts.get(random.nextInt(posts.size()));
            String reader = reader(random.nextInt(READERS));
            switch (random.nextInt(5)) {
                case 0, 1 -> inbox.retract(List.of(new Retraction(post, List.of(reader))));
                case 2 -> inbox.deliver(List.of(new Delivery(post, List.of(reader), 0)));
                case 3 ->
                    inbox.deliver(List.of(
                            new Delivery(Post.of(post.author(), post.id(), clock.millis() - 1), List.of(reader), 0)));
                default -> store.graph().remove(List.of(new Edge(reader, post.author())));
            }
        }
        if (random.nextBoolean()) {
            Update update = store.outbox().pulled().update(Optional.empty(), List.of(), 10);
            assertThat(update.scope()).isEqualTo(Scope.WHOLE);
            update.entries()
                    .forEach((author, entry) -> store.outbox()
                            .pulled()
                            .remove(author, entry.orElseThrow().version()));
        }
    }
}
