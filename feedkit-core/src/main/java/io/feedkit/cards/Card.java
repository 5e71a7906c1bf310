package io.feedkit.cards;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.Post;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A post with what a page shows for it: the values of the fields of a {@link PageAssembly}. Immutable; thread-safe if
 * the values are.
 *
 * @since 0.1.0
 */
@Beta
public final class Card {

    private final Post post;
    private final Set<CardField<?>> fields;
    private final Map<CardField<?>, Object> values;
    private final Set<CardField<?>> failed;

    /** The collections belong to the card from now on. */
    Card(Post post, Set<CardField<?>> fields, Map<CardField<?>, Object> values, Set<CardField<?>> failed) {
        this.post = post;
        this.fields = fields;
        this.values = values;
        this.failed = failed;
    }

    /**
     * The post.
     *
     * @return the post
     */
    public Post post() {
        return post;
    }

    /**
     * Returns the value of a field that always has one: the content, or a value of a part with a
     * {@linkplain CardPart#orElse fallback}. The fallback stands for a value that the part did not find, for a value
     * that {@linkplain #hasFailed could not be loaded}, and on cards without a key.
     *
     * @param field a field of the assembly
     * @param <V> the value
     * @return the value, or the fallback
     * @throws IllegalArgumentException if the field is not one of the assembly, or if its part has no fallback; then
     *     call {@link #find}
     */
    public <V> V get(CardField<V> field) {
        Optional<V> value = find(field);
        if (field.wave() == 0) {
            return value.orElseThrow();
        }
        V fallback = field.fallback()
                .orElseThrow(() -> new IllegalArgumentException("field must have a fallback, but " + field
                        + " has none: call find, or give the part a fallback with orElse"));
        return value.orElse(fallback);
    }

    /**
     * Returns the loaded value of a field.
     *
     * @param field a field of the assembly
     * @param <V> the value
     * @return the value; empty if the card has no key for it, if the part did not find it, or if it
     *     {@linkplain #hasFailed could not be loaded}. A fallback is not returned
     * @throws IllegalArgumentException if the field is not one of the assembly
     */
    @SuppressWarnings("unchecked") // The value was set for this field.
    public <V> Optional<V> find(CardField<V> field) {
        return Optional.ofNullable((V) values.get(requireOwn(field)));
    }

    /**
     * Returns whether the value of a field could not be loaded: its part failed or was late, or the key comes from a
     * field that has failed. A client may ask for it again.
     *
     * @param field a field of the assembly
     * @return false if there is a value, if the card has no key for it, or if the part did not find it
     * @throws IllegalArgumentException if the field is not one of the assembly
     */
    public boolean hasFailed(CardField<?> field) {
        return failed.contains(requireOwn(field));
    }

    private CardField<?> requireOwn(CardField<?> field) {
        if (!fields.contains(nonNull("field", field))) {
            throw new IllegalArgumentException(
                    "field must be one of the assembly that made the card, but " + field + " is not");
        }
        return field;
    }

    /** A draft with the values of this card. */
    CardDraft draft() {
        return new CardDraft(post, values);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Card that
                && post.equals(that.post)
                && values.equals(that.values)
                && failed.equals(that.failed);
    }

    @Override
    public int hashCode() {
        return 31 * post.hashCode() + values.hashCode();
    }

    @Override
    public String toString() {
        return "Card[" + post + "]";
    }
}
