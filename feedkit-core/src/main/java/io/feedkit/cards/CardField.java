package io.feedkit.cards;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.PostLoader;
import java.util.Optional;

/**
 * A value on each card of a page: the {@linkplain #content content} of the post, or a value that a {@link CardPart}
 * loads by a key. The same object reads the value from the cards ({@link Card#get}, {@link Card#find}). Immutable;
 * thread-safe.
 *
 * @param <V> the value
 * @since 0.1.0
 */
@Beta
public abstract sealed class CardField<V> permits ContentField, PartField {

    CardField() {}

    /**
     * Returns the field of the posts' content. A post without content has no card, and the page is filled with further
     * posts. The loader is called as by {@link io.feedkit.FeedEngine#read(String, io.feedkit.PageRequest, PostLoader)}:
     * on the reading thread, without a time limit, and its failure is a failure of the read.
     *
     * @param loader loads the content
     * @param <V> the host's content
     * @return the field
     * @throws IllegalArgumentException if the loader is null
     */
    public static <V> CardField<V> content(PostLoader<V> loader) {
        return new ContentField<>(nonNull("loader", loader));
    }

    /** The number of the wave that loads the field: 0 for the content, from 1 for parts. */
    abstract int wave();

    /** What to show if a card has no value. */
    abstract Optional<V> fallback();

    /** The part's name, or "content". */
    abstract String name();

    @Override
    public final String toString() {
        return "CardField[" + name() + "]";
    }
}
