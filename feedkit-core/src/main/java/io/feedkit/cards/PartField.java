package io.feedkit.cards;

import io.feedkit.Post;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A field whose values a part loads. */
final class PartField<K, V> extends CardField<V> {

    private final CardPart<K, V> part;
    private final Optional<CardField<?>> source;
    private final Function<CardDraft, @Nullable K> key;
    private final int wave;

    private PartField(
            CardPart<K, V> part, Optional<CardField<?>> source, Function<CardDraft, @Nullable K> key, int wave) {
        this.part = part;
        this.source = source;
        this.key = key;
        this.wave = wave;
    }

    static <K, V> PartField<K, V> ofPost(CardPart<K, V> part, Function<? super Post, ? extends @Nullable K> key) {
        return new PartField<>(part, Optional.empty(), draft -> key.apply(draft.post()), 1);
    }

    static <U, K, V> PartField<K, V> ofField(
            CardPart<K, V> part, CardField<U> source, Function<? super U, ? extends @Nullable K> key) {
        int wave = source.wave() + 1;
        if (wave > PageAssembly.MOST_WAVES) {
            throw new IllegalArgumentException("source must be loaded before wave " + PageAssembly.MOST_WAVES
                    + ", the last one, but " + source + " is loaded in wave " + source.wave());
        }
        return new PartField<>(
                part,
                Optional.of(source),
                draft -> {
                    U value = draft.value(source);
                    return value == null ? null : key.apply(value);
                },
                wave);
    }

    CardPart<K, V> part() {
        return part;
    }

    /** The field from whose value the key comes; empty if it comes from the post. */
    Optional<CardField<?>> source() {
        return source;
    }

    /** The key for a card; null if there is none. Calls the host's function. */
    @Nullable
    K key(CardDraft draft) {
        return key.apply(draft);
    }

    @Override
    int wave() {
        return wave;
    }

    @Override
    Optional<V> fallback() {
        return part.fallback();
    }

    @Override
    String name() {
        return part.name();
    }
}
