package io.feedkit.cards;

import io.feedkit.event.CardPartFailed;
import io.feedkit.event.CardPartFailed.Kind;
import io.feedkit.internal.check.FailureReasons;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What one part has answered for one page. Used by one thread. */
final class PartValues<K, V> {

    private final CardPart<K, V> part;
    private final Set<K> answered = new HashSet<>();
    private final Map<K, V> found = new HashMap<>();
    private final List<Failure> unreported = new ArrayList<>();
    private Set<K> wanted = new LinkedHashSet<>();
    private int keyFailures;
    private @Nullable Throwable keyFailure;
    private boolean failed;

    private record Failure(CardPartFailed event, Throwable cause) {}

    PartValues(CardPart<K, V> part) {
        this.part = part;
    }

    /** Requests the value of a key, unless the part was asked before. */
    void want(K key) {
        if (!answered.contains(key)) {
            wanted.add(key);
        }
    }

    /** Notes that the host could not compute the key of a card. */
    void keyFailed(Throwable failure) {
        keyFailures++;
        keyFailure = failure;
    }

    /** The next call; empty if there is nothing to load, or if an earlier call failed. */
    Optional<PartCall<K, V>> call(String reader) {
        Set<K> keys = wanted;
        wanted = new LinkedHashSet<>();
        return keys.isEmpty() || failed
                ? Optional.empty()
                : Optional.of(new PartCall<>(part, this, reader, Collections.unmodifiableSet(keys)));
    }

    void answered(Set<K> keys, Map<K, V> values) {
        answered.addAll(keys);
        found.putAll(values);
    }

    void failed(Kind kind, int keys, Duration took, Throwable failure) {
        failed = true;
        note(kind, keys, took, failure);
    }

    private void note(Kind kind, int keys, Duration took, Throwable failure) {
        CardPartFailed event = CardPartFailed.builder(part.name(), kind)
                .keys(keys)
                .took(took)
                .reason(FailureReasons.of(failure))
                .build();
        unreported.add(new Failure(event, failure));
    }

    boolean hasFailed(K key) {
        return !answered.contains(key);
    }

    Optional<V> find(K key) {
        return Optional.ofNullable(found.get(key));
    }

    /** Reports the failures since the last report. */
    void report(BiConsumer<CardPartFailed, Throwable> failures) {
        if (keyFailure != null) {
            note(Kind.FAILED, keyFailures, Duration.ZERO, keyFailure);
            keyFailures = 0;
            keyFailure = null;
        }
        unreported.forEach(failure -> failures.accept(failure.event(), failure.cause()));
        unreported.clear();
    }
}
