package io.feedkit.cards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.feedkit.CallbackException;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.LogCapture;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.event.CardPartFailed;
import io.feedkit.event.CardPartFailed.Kind;
import io.feedkit.event.FeedListener;
import io.feedkit.internal.engine.EngineCards;
import io.feedkit.internal.host.GuardedListener;
import java.io.IOException;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("concurrency")
@Timeout(60)
@DisplayName("If a part of cards fails")
class PartFailuresTest {

    private static final Duration SHORT = Duration.ofMillis(50);

    private static final Duration LONG = Duration.ofSeconds(40);

    private final CardFeed feed = new CardFeed(10);
    private final LogCapture log = LogCapture.of(EngineCards.class);
    private final CardField<String> content = CardField.content(posts ->
            posts.stream().collect(Collectors.toMap(Function.identity(), post -> "text of " + post.id())));
    private final Lookup<String, String> sound = new Lookup<>(key -> "sound " + key);
    private final CardField<String> healthy =
            CardPart.of("healthy", sound).within(LONG).orElse("none").by(Post::author);

    @AfterEach
    void close() {
        feed.close();
        log.close();
        assertThat(Thread.interrupted()).isFalse();
    }

    private static CardPart<String, String> part(Function<Set<String>, Map<String, String>> load) {
        return CardPart.of("troubled", load).orElse("fallback");
    }

    private static void hang(CountDownLatch until) {
        try {
            until.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits without regard to interrupts. */
    private static void hangOn(CountDownLatch until) {
        boolean interrupted = false;
        while (true) {
            try {
                until.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Gives each call a thread, and waits after the second one. A call that gets no thread within its limit does not
     * begin, so a test of a call that is late waits until it has begun.
     */
    private static Executor callsUntil(CountDownLatch began) {
        AtomicInteger calls = new AtomicInteger();
        return call -> {
            new Thread(call).start();
            if (calls.incrementAndGet() == 2) {
                hang(began);
            }
        };
    }

    private static IllegalStateException broken() {
        return new IllegalStateException("broken by\nthe host");
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> void throwChecked() throws E {
        throw (E) new IOException("broken by the host");
    }

    private void assertFellBack(FeedPage<Card> page, CardField<String> troubled) {
        assertThat(page.items()).hasSize(5).allSatisfy(card -> {
            assertThat(card.get(troubled)).isEqualTo("fallback");
            assertThat(card.find(troubled)).isEmpty();
            assertThat(card.hasFailed(troubled)).isTrue();
            assertThat(card.hasFailed(healthy)).isFalse();
            assertThat(card.get(healthy)).isEqualTo("sound " + card.post().author());
            assertThat(card.get(content)).isEqualTo("text of " + card.post().id());
        });
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                failure("throws", keys -> {
                    throw broken();
                }),
                failure("throws a checked exception", keys -> {
                    PartFailuresTest.<RuntimeException>throwChecked();
                    return Map.of();
                }),
                failure("throws an error", keys -> {
                    throw new AssertionError("broken by the host");
                }),
                failure("overflows the stack", keys -> {
                    throw new StackOverflowError("broken by the host");
                }),
                failure("has no memory", keys -> {
                    throw new OutOfMemoryError("broken by the host");
                }),
                failure("throws an exception without a text", keys -> {
                    throw new IllegalStateException() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public String getMessage() {
                            throw broken();
                        }
                    };
                }),
                failure("cannot reach a store", keys -> {
                    throw new StoreUnavailableException("counters.get", null);
                }),
                failure("returns null", keys -> null),
                failure("returns a map that throws when it is read", keys -> new AbstractMap<>() {
                    @Override
                    public Set<Entry<String, String>> entrySet() {
                        throw broken();
                    }
                }));
    }

    private static Arguments failure(String how, Function<Set<String>, Map<String, String>> load) {
        return Arguments.of(how, load);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    @DisplayName("with an exception or a wrong answer, the page has its fallback, and the listener is notified")
    void fails(String how, Function<Set<String>, Map<String, String>> load) {
        CardField<String> troubled = part(load).within(LONG).by(Post::id);
        assertFellBack(feed.page(5, PageAssembly.of(content, troubled, healthy)), troubled);
        assertThat(feed.failures).singleElement().satisfies(event -> {
            assertThat(event.part()).isEqualTo("troubled");
            assertThat(event.kind()).isEqualTo(Kind.FAILED);
            assertThat(event.keys()).isEqualTo(5);
            assertThat(event.reason()).isNotEmpty().doesNotContain("\n");
            assertThat(event.took()).isPositive();
        });
    }

    @Test
    @DisplayName("by hanging, the page is returned at its limit, and the call is interrupted")
    void late() {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        CardField<String> troubled = part(keys -> {
                    began.countDown();
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                    return Map.of("p9", "too late");
                })
                .within(SHORT)
                .by(Post::id);
        FeedPage<Card> page =
                feed.page(5, PageAssembly.of(content, troubled, healthy).on(callsUntil(began)));
        assertFellBack(page, troubled);
        assertThat(feed.failures).singleElement().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(Kind.LATE);
            assertThat(event.took()).isGreaterThanOrEqualTo(SHORT);
            assertThat(event.reason()).contains("no answer within PT0.05S");
        });
        hang(interrupted);
        assertFellBack(page, troubled);
    }

    @Test
    @DisplayName("by hanging in spite of an interrupt, its late answer is ignored")
    void uninterruptible() {
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            CardField<String> troubled = part(keys -> {
                        hangOn(end);
                        return Map.of("p9", "too late");
                    })
                    .within(SHORT)
                    .by(Post::id);
            FeedPage<Card> page =
                    feed.page(5, PageAssembly.of(content, troubled).on(executor));
            end.countDown();
            List<Boolean> interrupted = new CopyOnWriteArrayList<>();
            Lookup<String, String> next = new Lookup<>(key -> {
                interrupted.add(Thread.currentThread().isInterrupted());
                return key;
            });
            feed.page(
                    1,
                    PageAssembly.of(
                                    content,
                                    CardPart.of("next", next).within(LONG).by(Post::id))
                            .on(executor));
            assertThat(interrupted).containsExactly(false);
            assertThat(page.items())
                    .allMatch(card ->
                            card.hasFailed(troubled) && card.find(troubled).isEmpty());
        } finally {
            end.countDown();
            executor.shutdownNow();
        }
    }

    @Test
    @DisplayName("by hanging, an executor's own thread keeps no interrupt that was meant for the call")
    void interruptIsCleared() {
        CountDownLatch ended = new CountDownLatch(1);
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        CardField<String> troubled = part(keys -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return Map.of();
                })
                .within(SHORT)
                .by(Post::id);
        PageAssembly cards = PageAssembly.of(content, troubled).on(call -> {
            Thread thread = new Thread(() -> {
                call.run();
                interrupted.add(Thread.currentThread().isInterrupted());
                ended.countDown();
            });
            thread.start();
        });
        feed.page(1, cards);
        hang(ended);
        assertThat(interrupted).containsExactly(false);
    }

    @Test
    @DisplayName("at a short limit, it is interrupted at that limit, although another part may take longer")
    void ownLimit() {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        CardField<String> patient = CardPart.of("patient", (Set<String> keys) -> {
                    hang(interrupted);
                    return Map.of("author4", "patient");
                })
                .within(LONG)
                .orElse("none")
                .by(Post::author);
        CardField<String> troubled = part(keys -> {
                    began.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                    return Map.of();
                })
                .within(SHORT)
                .by(Post::id);
        Card card = feed.card(PageAssembly.of(content, patient, troubled).on(callsUntil(began)));
        assertThat(card.get(patient)).isEqualTo("patient");
        assertThat(card.hasFailed(troubled)).isTrue();
    }

    @Test
    @DisplayName("its further keys and null values are ignored, and a missing key is no failure")
    void answers() {
        CardField<String> troubled = part(keys -> {
                    Map<String, String> answer = new HashMap<>();
                    answer.put("p9", "nine");
                    answer.put("p8", null);
                    answer.put("p1", "not asked for");
                    answer.put(null, "no key");
                    return answer;
                })
                .by(Post::id);
        List<Card> cards = feed.page(3, PageAssembly.of(content, troubled)).items();
        assertThat(cards).extracting(card -> card.get(troubled)).containsExactly("nine", "fallback", "fallback");
        assertThat(cards).noneMatch(card -> card.hasFailed(troubled));
        assertThat(feed.failures).isEmpty();
    }

    @Test
    @DisplayName("or not, its answer is read by key, and not on the reading thread")
    void lazyAnswer() {
        Set<Thread> reading = ConcurrentHashMap.newKeySet();
        CardField<String> troubled = part(keys -> new AbstractMap<>() {
                    @Override
                    public String get(Object key) {
                        reading.add(Thread.currentThread());
                        return "loaded " + key;
                    }

                    @Override
                    public Set<Entry<String, String>> entrySet() {
                        throw broken();
                    }
                })
                .within(LONG)
                .by(Post::id);
        assertThat(feed.card(PageAssembly.of(content, troubled)).find(troubled)).contains("loaded p9");
        assertThat(reading).hasSize(1).doesNotContain(Thread.currentThread());
    }

    @Test
    @DisplayName("because the executor refuses its call, the page has its fallback")
    void refused() {
        CardField<String> troubled = part(keys -> Map.of()).by(Post::id);
        PageAssembly cards = PageAssembly.of(content, troubled).on(call -> {
            throw new RejectedExecutionException("full");
        });
        assertThat(feed.page(5, cards).items())
                .hasSize(5)
                .allMatch(card -> card.hasFailed(troubled) && card.get(troubled).equals("fallback"));
        assertThat(feed.failures).singleElement().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(Kind.REFUSED);
            assertThat(event.reason()).contains("full");
        });
    }

    @Test
    @DisplayName("because the executor has no thread for it, the call never begins")
    void noThread() {
        List<Runnable> waiting = new ArrayList<>();
        Lookup<String, String> lookup = new Lookup<>(key -> key);
        CardField<String> troubled = part(lookup).within(SHORT).by(Post::id);
        PageAssembly cards = PageAssembly.of(content, troubled).on(waiting::add);
        assertThat(feed.card(cards).hasFailed(troubled)).isTrue();
        assertThat(feed.failures)
                .extracting(CardPartFailed::kind, CardPartFailed::reason)
                .singleElement()
                .satisfies(event -> assertThat(event.toList().get(1).toString()).contains("no thread within"));
        waiting.forEach(Runnable::run);
        assertThat(lookup.calls).isEmpty();
    }

    @Test
    @DisplayName("by hanging again and again, it is not called while its late calls run")
    void tooManyLateCalls() {
        CountDownLatch end = new CountDownLatch(1);
        List<Set<String>> calls = new CopyOnWriteArrayList<>();
        CardPart<String, String> part = part(keys -> {
                    calls.add(keys);
                    hangOn(end);
                    return Map.of("p9", "nine");
                })
                .within(Duration.ofMillis(1));
        CardField<String> troubled = part.by(Post::id);
        PageAssembly cards = PageAssembly.of(content, troubled);
        try {
            // A call that did not get its thread within the limit does not run.
            await().atMost(Duration.ofSeconds(40))
                    .pollInSameThread()
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        feed.card(cards);
                        return calls.size() == CardPart.MOST_LATE_CALLS;
                    });
            feed.failures.clear();
            assertThat(feed.card(cards).get(troubled)).isEqualTo("fallback");
            assertThat(feed.failures).singleElement().satisfies(event -> {
                assertThat(event.kind()).isEqualTo(Kind.REFUSED);
                assertThat(event.reason()).contains("32 late calls are still running");
            });
            assertThat(calls).hasSize(CardPart.MOST_LATE_CALLS);
        } finally {
            end.countDown();
        }
        await().pollInSameThread().until(() -> feed.card(cards).find(troubled).isPresent());
    }

    @Test
    @DisplayName("it is not called in the second wave, and fields whose keys come from it have failed")
    void secondWave() {
        Lookup<String, String> lookup = new Lookup<>(key -> {
            throw broken();
        });
        CardPart<String, String> part = part(lookup);
        CardField<String> first = part.by(Post::id);
        CardField<String> later = part.by(healthy, Function.identity());
        CardField<String> below = CardPart.of("below", sound).orElse("none").by(first, Function.identity());
        Card card = feed.card(PageAssembly.of(content, first, later, below));
        assertThat(lookup.calls).containsExactly(Set.of("p9"));
        assertThat(List.of(first, later, below)).allMatch(card::hasFailed);
        assertThat(card.get(below)).isEqualTo("none");
        assertThat(sound.keys()).containsExactly("author4");
        assertThat(feed.failures).hasSize(1);
    }

    @Test
    @DisplayName("a fallback gives no keys to other fields")
    void fallbackIsNoSource() {
        CardField<String> absent = part(keys -> Map.of()).by(Post::id);
        CardField<String> below = CardPart.of("below", sound).orElse("none").by(absent, Function.identity());
        Card card = feed.card(PageAssembly.of(content, absent, below));
        assertThat(card.get(below)).isEqualTo("none");
        assertThat(card.hasFailed(below)).isFalse();
        assertThat(sound.calls).isEmpty();
    }

    @Test
    @DisplayName("by its keys, only the cards without a key are affected")
    void keys() {
        CardField<String> troubled = CardPart.of("troubled", sound)
                .orElse("fallback")
                .by(post -> {
                    if (post.author().equals("author4")) {
                        throw broken();
                    }
                    return post.id();
                });
        List<Card> cards = feed.page(10, PageAssembly.of(content, troubled)).items();
        assertThat(cards)
                .hasSize(10)
                .allSatisfy(card -> assertThat(card.hasFailed(troubled))
                        .isEqualTo(card.post().author().equals("author4")));
        assertThat(sound.keys()).hasSize(8);
        assertThat(feed.failures).singleElement().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(Kind.FAILED);
            assertThat(event.keys()).isEqualTo(2);
        });
    }

    @Test
    @DisplayName("because the reading thread is interrupted, the page is returned at once, and the flag is kept")
    void interrupted() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        CardField<String> troubled = part(keys -> {
                    began.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        ended.countDown();
                    }
                    return Map.of();
                })
                .within(LONG)
                .by(Post::id);
        List<Card> cards = new CopyOnWriteArrayList<>();
        List<Boolean> flags = new CopyOnWriteArrayList<>();
        Thread reading = new Thread(() -> {
            cards.add(feed.card(PageAssembly.of(content, troubled)));
            flags.add(Thread.currentThread().isInterrupted());
        });
        reading.start();
        hang(began);
        reading.interrupt();
        reading.join();
        assertThat(cards)
                .singleElement()
                .satisfies(card -> assertThat(card.hasFailed(troubled)).isTrue());
        assertThat(flags).containsExactly(true);
        assertThat(feed.failures).extracting(CardPartFailed::kind).containsExactly(Kind.INTERRUPTED);
        hang(ended);
    }

    @Test
    @DisplayName("it is logged as a warning once, with its cause")
    void logged() {
        CardField<String> troubled = part(keys -> {
                    throw broken();
                })
                .by(Post::id);
        PageAssembly cards = PageAssembly.of(content, troubled);
        feed.card(cards);
        feed.card(cards);
        assertThat(log.messages(Level.WARN))
                .containsExactly("card-feed: part troubled of cards failed (FAILED), and the page has its fallback; its"
                        + " failures of the next minutes are logged at DEBUG");
        assertThat(log.messages(Level.DEBUG)).hasSize(1);
    }

    @Test
    @DisplayName("and the listener fails, too, the page is returned")
    void listenerFails() {
        CardField<String> troubled = part(keys -> {
                    throw broken();
                })
                .by(Post::id);
        try (LogCapture guard = LogCapture.of(GuardedListener.class);
                FeedEngine engine = FeedEngine.inMemory()
                        .workers(0)
                        .listener(new FeedListener() {
                            @Override
                            public void cardPartFailed(CardPartFailed event) {
                                throw broken();
                            }
                        })
                        .build()) {
            engine.follow("ann", "bob");
            engine.publish("bob", "p1");
            engine.fanout().drain();
            FeedPage<Card> page = engine.read("ann", PageRequest.first(1), PageAssembly.of(content, troubled));
            assertThat(page.items())
                    .singleElement()
                    .satisfies(card -> assertThat(card.get(troubled)).isEqualTo("fallback"));
            assertThat(guard.messages(Level.WARN)).hasSize(1);
        }
    }

    @Test
    @DisplayName("that is the content, the read fails as with any loader")
    void contentFails() {
        CardField<String> troubled = CardField.content(posts -> {
            throw broken();
        });
        assertThatThrownBy(() -> feed.page(5, PageAssembly.of(troubled, healthy)))
                .isInstanceOfSatisfying(
                        CallbackException.class, e -> assertThat(e.callback()).isEqualTo("loader"));
        assertThat(sound.calls).isEmpty();
    }

    @Test
    @DisplayName("or not, a closed engine leaves no thread of it")
    void threadsEnd() {
        feed.page(5, PageAssembly.of(content, healthy));
        feed.close();
        await().atMost(5, TimeUnit.SECONDS)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("card-feed-cards")));
    }
}
