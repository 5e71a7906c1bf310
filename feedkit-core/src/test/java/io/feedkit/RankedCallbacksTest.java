package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.event.FeedListener;
import io.feedkit.event.FeedRead;
import io.feedkit.rank.RankRequest;
import io.feedkit.rank.RankedPage;
import io.feedkit.rank.Ranker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Ranked pages, with code of the host,")
class RankedCallbacksTest extends RankedFeed {

    static Stream<Arguments> badRankers() {
        return Stream.of(
                Arguments.of("throws", "broken by the host", (Ranker) (posts, context) -> {
                    throw new IllegalStateException("broken by the host");
                }),
                Arguments.of("throws an error", "broken by the host", (Ranker) (posts, context) -> {
                    throw new NoClassDefFoundError("broken by the host");
                }),
                Arguments.of("returns null", "null", (Ranker) (posts, context) -> null),
                Arguments.of("returns too few scores", "scores must be 20, one for each post, but are 19", (Ranker)
                        (posts, context) -> new double[posts.size() - 1]),
                Arguments.of("returns too many scores", "scores must be 20, one for each post, but are 21", (Ranker)
                        (posts, context) -> new double[posts.size() + 1]),
                Arguments.of("returns none", "scores must be 20", (Ranker) (posts, context) -> new double[0]),
                Arguments.of("returns NaN", "scores[3] must be a number, but is NaN", (Ranker) (posts, context) -> {
                    double[] scores = new double[posts.size()];
                    scores[3] = Double.NaN;
                    return scores;
                }),
                Arguments.of("changes the posts", "UnsupportedOperationException", (Ranker) (posts, context) -> {
                    posts.clear();
                    return new double[0];
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badRankers")
    @DisplayName("fail typed, and save nothing, if the ranker fails or its scores are not valid")
    void badRanker(String what, String message, Ranker bad) {
        List<Post> ranked = fill(30);
        assertThatThrownBy(() -> engine.ranked("ann", RankRequest.top(20, 5), bad))
                .isInstanceOfSatisfying(CallbackException.class, e -> {
                    assertThat(e.callback()).isEqualTo("ranker");
                    assertThat(e.isRetryable()).isFalse();
                    assertThat(e)
                            .hasMessageStartingWith("the host's ranker failed: ")
                            .hasMessageContaining(message);
                });
        assertThat(store.calls("RankSnapshots.save")).isZero();
        assertThat(top(30, 5).items()).isEqualTo(ranked.subList(0, 5));
    }

    @Test
    @DisplayName("pass the failure of a counter's store, and errors of the virtual machine, unchanged")
    void passed() {
        fill(30);
        StoreUnavailableException down = new StoreUnavailableException("counters.read", null);
        assertThatThrownBy(() -> engine.ranked("ann", RankRequest.top(20, 5), (posts, context) -> {
                    throw down;
                }))
                .isSameAs(down);
        OutOfMemoryError noMemory = new OutOfMemoryError("in a test");
        assertThatThrownBy(() -> engine.ranked("ann", RankRequest.top(20, 5), (posts, context) -> {
                    throw noMemory;
                }))
                .isSameAs(noMemory);
    }

    @Test
    @DisplayName("fail typed if the loader or the filter of a later page fails, and may be requested again")
    void badCallbacks() {
        List<Post> ranked = fill(30);
        AtomicBoolean broken = new AtomicBoolean();
        FeedEngine filtered =
                open(FeedEngine.builder(store).clock(clock).workers(0).filter((reader, posts) -> {
                    if (broken.get()) {
                        throw new IllegalStateException("broken by the host");
                    }
                    return posts;
                }));
        RankRequest next = RankRequest.after(
                filtered.ranked("ann", RankRequest.top(30, 5), byWeight).next().orElseThrow(), 5);
        assertThatThrownBy(() -> filtered.ranked("ann", next, byWeight, posts -> {
                    throw new IllegalStateException("broken by the host");
                }))
                .isInstanceOfSatisfying(
                        CallbackException.class, e -> assertThat(e.callback()).isEqualTo("loader"));
        broken.set(true);
        assertThatThrownBy(() -> filtered.ranked("ann", next, byWeight))
                .isInstanceOfSatisfying(
                        CallbackException.class, e -> assertThat(e.callback()).isEqualTo("filter"));
        broken.set(false);
        assertThat(filtered.ranked("ann", next, byWeight).items()).isEqualTo(ranked.subList(5, 10));
    }

    @Test
    @DisplayName("are reported to listeners, and the first one is a visit")
    void events() {
        List<FeedRead> reads = new ArrayList<>();
        fill(30);
        FeedEngine watched = open(builder().listener(new FeedListener() {
            @Override
            public void read(FeedRead event) {
                reads.add(event);
            }
        }));
        RankedPage<Post> page = watched.ranked("ann", RankRequest.top(30, 5), byWeight);
        watched.ranked("ann", RankRequest.after(page.next().orElseThrow(), 7), byWeight);
        assertThat(reads).extracting(FeedRead::reader).containsExactly("ann", "ann");
        assertThat(reads).extracting(FeedRead::fromInbox).containsExactly(30, 0);
        assertThat(reads).extracting(FeedRead::fromOutboxes).containsExactly(0, 7);
        assertThat(reads).extracting(FeedRead::outboxCalls).containsExactly(0, 1);
    }
}
