package io.feedkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("In an hour in which one author is ahead of the clock")
class ClocksAheadTest {

    private static final int ROUNDS = 360;
    private static final int OTHERS = 99;
    private static final int AHEAD_EACH = 24;
    private static final Duration AHEAD = Duration.ofSeconds(290);

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);
    private final List<Post> shown = new ArrayList<>();
    private long counted;

    private FeedEngine engine(boolean push, Clock itsClock) {
        return FeedEngine.builder(store)
                .clock(itsClock)
                .workers(0)
                .reading(reading -> reading.staleness(Duration.ZERO))
                .policy(push ? FanoutPolicy.push() : FanoutPolicy.pull())
                .build();
    }

    /** Each ten seconds another author publishes, and the reader counts, polls and marks as seen. */
    private void passAnHour(FeedEngine feed, FeedEngine aheadOnes, Duration ahead) {
        for (int i = 0; i <= OTHERS; i++) {
            feed.follow("reader", "author-" + i);
        }
        FeedPage<Post> page = feed.read("reader", PageRequest.first(20));
        feed.markSeen("reader", page.newer());
        List<Post> published = new ArrayList<>();
        for (int round = 1; round <= ROUNDS; round++) {
            clock.advance(Duration.ofSeconds(10));
            published.add(feed.publish("author-" + round % OTHERS, "p" + round).post());
            feed.fanout().drain();
            if (round % AHEAD_EACH == 0) {
                Instant time = clock.instant().plus(ahead);
                published.add(aheadOnes
                        .publish(new Post("author-" + OTHERS, "ahead" + round, time))
                        .post());
                aheadOnes.fanout().drain();
            }
            counted += feed.unread("reader").count();
            page = feed.read(
                    "reader", PageRequest.newer(Cursor.parse(page.newer().toString()), 20));
            shown.addAll(page.items());
            feed.markSeen("reader", page.newer());
        }
        assertThat(shown).containsExactlyInAnyOrderElementsOf(published);
        assertThat(counted).isEqualTo(ROUNDS + ROUNDS / AHEAD_EACH);
        assertThat(feed.unread("reader").count()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("because of an engine's clock, every post is shown once and counted once")
    void engineAhead(boolean push) {
        try (FeedEngine feed = engine(push, clock);
                FeedEngine ahead = engine(push, Clock.offset(clock, AHEAD))) {
            passAnHour(feed, ahead, AHEAD);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "because the author dates posts ahead, they are published now, and every post is shown and counted once")
    void authorAhead(boolean push) {
        try (FeedEngine feed = engine(push, clock)) {
            passAnHour(feed, feed, AHEAD);
            assertThat(shown).noneMatch(post -> post.publishedAt().isAfter(clock.instant()));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 290_000})
    @DisplayName("a post of an engine that is ahead by milliseconds or minutes is shown once, also if it ends a page")
    void endsFirstPage(long millisAhead) {
        try (FeedEngine feed = engine(false, clock);
                FeedEngine ahead = engine(false, Clock.offset(clock, Duration.ofMillis(millisAhead)))) {
            feed.follow("reader", "author");
            feed.publish("author", "now");
            Post post = ahead.publish("author", "ahead").post();
            FeedPage<Post> page = feed.read("reader", PageRequest.first(1));
            assertThat(page.items()).containsExactly(post);
            assertThat(feed.read("reader", PageRequest.newer(page.newer(), 20)).items())
                    .isEmpty();
        }
    }
}
