package io.feedkit.cards;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.Post;
import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Loads values of one kind by key, such as authors by id, for all cards of a page in one call. {@link #by} makes fields
 * of it: one part may have several, such as the author of a post and the author of the post that it quotes.
 *
 * <p>The host's function is called at most once for each page and {@linkplain PageAssembly wave}, with distinct keys.
 * It runs on a thread of the assembly's executor, and must be safe for use by many threads. If it fails or is late, the
 * page is not affected: the fields have their {@linkplain #orElse fallback}, the listener is notified by
 * {@link io.feedkit.event.FeedListener#cardPartFailed}, and the part is not called again for the page.
 *
 * <p>Immutable; each method returns a new part. Thread-safe.
 *
 * @param <K> the key, with {@code equals} and {@code hashCode}
 * @param <V> the value
 * @since 0.1.0
 */
@Beta
public final class CardPart<K, V> {

    /** The time limit of a call unless {@link #within} sets another: long for a query by key, short for a page. */
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(1);

    /** The shortest time limit. */
    public static final Duration LEAST_LIMIT = Duration.ofMillis(1);

    /** The longest time limit. */
    public static final Duration MOST_LIMIT = Duration.ofMinutes(1);

    /**
     * How many late calls of a part may still run. Beyond, pages do not call the part until one of them ends, so that a
     * function that hangs does not take ever more threads.
     */
    public static final int MOST_LATE_CALLS = 32;

    private final String name;
    private final BiFunction<? super String, ? super Set<K>, ? extends Map<K, V>> load;
    private final Duration limit;
    private final Optional<V> fallback;
    private final AtomicInteger lateCalls = new AtomicInteger();

    private CardPart(
            String name,
            BiFunction<? super String, ? super Set<K>, ? extends Map<K, V>> load,
            Duration limit,
            Optional<V> fallback) {
        this.name = name;
        this.load = load;
        this.limit = limit;
        this.fallback = fallback;
    }

    /**
     * Returns a part whose values are the same for all readers.
     *
     * @param name the part's name in events, log messages and exceptions: 1 to 64 visible ASCII characters, unique in
     *     an assembly
     * @param load returns the values of the keys that have one. It gets at least one key, in the order of the cards,
     *     and cannot change the set. Further keys and null values in its answer are ignored
     * @param <K> the key
     * @param <V> the value
     * @return the part
     * @throws IllegalArgumentException if an argument is null, or the name is not legal
     */
    public static <K, V> CardPart<K, V> of(String name, Function<? super Set<K>, ? extends Map<K, V>> load) {
        nonNull("load", load);
        return forReader(name, (reader, keys) -> load.apply(keys));
    }

    /**
     * Returns a part whose values depend on the reader, such as whether the reader likes a post.
     *
     * @param name as in {@link #of}
     * @param load as in {@link #of}, with the reader as its first argument
     * @param <K> the key
     * @param <V> the value
     * @return the part
     * @throws IllegalArgumentException if an argument is null, or the name is not legal
     */
    public static <K, V> CardPart<K, V> forReader(
            String name, BiFunction<? super String, ? super Set<K>, ? extends Map<K, V>> load) {
        return new CardPart<>(Ids.require("name", name), nonNull("load", load), DEFAULT_LIMIT, Optional.empty());
    }

    /**
     * Returns this part with another time limit. The limit begins when the wave of calls begins, so it includes the
     * time that a call waits for a thread. A call that is late is interrupted, and its answer is ignored.
     *
     * @param limit the limit of a call, 1 ms to 1 minute; {@link #DEFAULT_LIMIT} unless set
     * @return the part
     * @throws IllegalArgumentException if the limit is null or out of range
     */
    public CardPart<K, V> within(Duration limit) {
        return new CardPart<>(name, load, Arguments.between("limit", limit, LEAST_LIMIT, MOST_LIMIT), fallback);
    }

    /**
     * Returns this part with a fallback. {@link Card#get} returns it for cards without a value.
     *
     * @param fallback the fallback
     * @return the part
     * @throws IllegalArgumentException if the fallback is null
     */
    public CardPart<K, V> orElse(V fallback) {
        return new CardPart<>(name, load, limit, Optional.of(nonNull("fallback", fallback)));
    }

    /**
     * Returns a field of this part whose key comes from the post. It is loaded in the first wave.
     *
     * @param key returns the key for a post; null if the card has no such value. It must be quick, because it runs on
     *     the reading thread. If it throws, the card's field has failed
     * @return the field
     * @throws IllegalArgumentException if the key is null
     */
    public CardField<V> by(Function<? super Post, ? extends @Nullable K> key) {
        return PartField.ofPost(this, nonNull("key", key));
    }

    /**
     * Returns a field of this part whose key comes from the value of another field, such as the content. It is loaded
     * in the wave after that field. A card on which the other field has no value has no key: a fallback gives no key.
     *
     * @param source the other field
     * @param key returns the key for the other field's value, as in {@link #by(Function)}
     * @param <U> the type of the other field's value
     * @return the field
     * @throws IllegalArgumentException if an argument is null, or the field would be in a wave after
     *     {@value PageAssembly#MOST_WAVES}
     */
    public <U> CardField<V> by(CardField<U> source, Function<? super U, ? extends @Nullable K> key) {
        return PartField.ofField(this, nonNull("source", source), nonNull("key", key));
    }

    /**
     * The part's name.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    Duration limit() {
        return limit;
    }

    Optional<V> fallback() {
        return fallback;
    }

    /** Calls the host's function, and copies what it returns for the keys: the answer may change later, or be lazy. */
    Map<K, V> load(String reader, Set<K> keys) {
        Map<K, V> answer = load.apply(reader, keys);
        if (answer == null) {
            throw new NullPointerException("the part returned null");
        }
        Map<K, V> found = new HashMap<>();
        for (K key : keys) {
            V value = answer.get(key);
            if (value != null) {
                found.put(key, value);
            }
        }
        return found;
    }

    boolean hasTooManyLateCalls() {
        return lateCalls.get() >= MOST_LATE_CALLS;
    }

    void lateCallBegan() {
        lateCalls.incrementAndGet();
    }

    void lateCallEnded() {
        lateCalls.decrementAndGet();
    }

    @Override
    public String toString() {
        return "CardPart[" + name + " within " + limit + "]";
    }
}
