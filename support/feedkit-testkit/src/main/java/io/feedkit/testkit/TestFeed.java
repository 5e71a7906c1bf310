package io.feedkit.testkit;

import static java.util.Objects.requireNonNull;

import io.feedkit.Beta;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.internal.check.Arguments;
import io.feedkit.memory.InMemoryFeedStore;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A JUnit extension for tests of a host: each test gets an engine of its own, on a store in memory, with a clock that
 * stands still until the test moves it. The engine is closed after the test. It has no workers, so posts reach inboxes
 * when the test calls {@link #drain}. For JUnit 5 and 6.
 *
 * <pre><code>
 * class TimelineTest {
 *     &#64;RegisterExtension
 *     final TestFeed feed = TestFeed.inMemory();
 *
 *     &#64;Test
 *     void shows() {
 *         feed.engine().follow("ann", "bob");
 *         feed.engine().publish("bob", "post-1");
 *         feed.drain();
 *         assertThat(feed.engine().read("ann", PageRequest.first(20)).items()).hasSize(1);
 *     }
 * }
 * </code></pre>
 *
 * <p>With the extension, a test method may also have parameters of the types {@link FeedEngine}, {@link SettableClock},
 * {@link InMemoryFeedStore} and {@code TestFeed}. For tests that need only these, {@code @ExtendWith(TestFeed.class)}
 * on the class takes the place of the field.
 *
 * <p>Each test has an engine of its own, also if tests run at the same time. If a static field or {@code @ExtendWith}
 * serves tests that run at the same time, only the tests' own threads may call its methods.
 *
 * @since 0.1.0
 */
@Beta
public final class TestFeed implements BeforeEachCallback, AfterEachCallback, ParameterResolver {

    /** The time that the clock shows when a test begins. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private record Running(SettableClock clock, InMemoryFeedStore store, FeedEngine engine) {}

    private final UnaryOperator<FeedEngineBuilder> settings;
    private final Map<String, Running> running = new ConcurrentHashMap<>();
    private final ThreadLocal<@Nullable String> test = new ThreadLocal<>();

    /** For {@code @ExtendWith}; a field is made by {@link #inMemory()}. */
    public TestFeed() {
        this(UnaryOperator.identity());
    }

    private TestFeed(UnaryOperator<FeedEngineBuilder> settings) {
        this.settings = settings;
    }

    /**
     * An extension whose engines have the default settings, and no workers.
     *
     * @return the extension
     */
    public static TestFeed inMemory() {
        return new TestFeed();
    }

    /**
     * An extension whose engines have further settings, such as a policy or a filter.
     *
     * @param settings sets them on the builder of each engine; clock and workers are set already
     * @return the extension
     * @throws IllegalArgumentException if the settings are null
     */
    public static TestFeed inMemory(UnaryOperator<FeedEngineBuilder> settings) {
        return new TestFeed(Arguments.nonNull("settings", settings));
    }

    /**
     * The engine of the running test.
     *
     * @return the engine
     * @throws IllegalStateException if no test is running
     */
    public FeedEngine engine() {
        return running().engine();
    }

    /**
     * The clock of the running test. The engine and the store use it.
     *
     * @return the clock; it shows {@link #START} at first
     * @throws IllegalStateException if no test is running
     */
    public SettableClock clock() {
        return running().clock();
    }

    /**
     * The store of the running test. A test begins a transaction with its {@link InMemoryFeedStore#begin begin}, and
     * may build further engines on it.
     *
     * @return the store
     * @throws IllegalStateException if no test is running
     */
    public InMemoryFeedStore store() {
        return running().store();
    }

    /**
     * Fans out what was published, as {@link io.feedkit.fanout.FanoutControl#drain} does.
     *
     * @return how many tasks were finished
     * @throws IllegalStateException if no test is running
     */
    public int drain() {
        return engine().fanout().drain();
    }

    private Running running() {
        String own = test.get();
        Running now = own == null ? null : running.get(own);
        if (now == null && running.size() == 1) {
            return running.values().iterator().next();
        }
        if (now == null) {
            throw new IllegalStateException("no test is running: use the feed between @BeforeEach and @AfterEach");
        }
        return now;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        SettableClock clock = SettableClock.startingAt(START);
        InMemoryFeedStore store = InMemoryFeedStore.create(clock);
        FeedEngine engine = settings.apply(
                        FeedEngine.builder(store).clock(clock).workers(0))
                .build();
        running.put(context.getUniqueId(), new Running(clock, store, engine));
        test.set(context.getUniqueId());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        test.remove();
        Running ended = running.remove(context.getUniqueId());
        if (ended != null) {
            ended.engine().close();
        }
    }

    /** The values of parameters, by their types. */
    private Map<Class<?>, Supplier<Object>> parameters() {
        return Map.of(
                TestFeed.class, () -> this,
                FeedEngine.class, this::engine,
                SettableClock.class, this::clock,
                InMemoryFeedStore.class, this::store);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameters().containsKey(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return requireNonNull(parameters().get(parameter.getParameter().getType()))
                .get();
    }
}
