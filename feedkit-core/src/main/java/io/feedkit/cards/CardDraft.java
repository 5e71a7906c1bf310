package io.feedkit.cards;

import io.feedkit.Post;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A card whose parts are being loaded. Used by one thread. */
final class CardDraft {

    private final Post post;
    private final Map<CardField<?>, Object> values;
    private final Set<CardField<?>> failed = new HashSet<>();

    CardDraft(Post post, Map<CardField<?>, Object> values) {
        this.post = post;
        this.values = new HashMap<>(values);
    }

    Post post() {
        return post;
    }

    /** The loaded value of a field; null if there is none. */
    @SuppressWarnings("unchecked") // The value was set for this field.
    <V> @Nullable V value(CardField<V> field) {
        return (V) values.get(field);
    }

    <V> void set(CardField<V> field, V value) {
        values.put(field, value);
    }

    void fail(CardField<?> field) {
        failed.add(field);
    }

    boolean hasFailed(CardField<?> field) {
        return failed.contains(field);
    }

    /** The finished card. The draft is not used any more. */
    Card card(Set<CardField<?>> fields) {
        return new Card(post, fields, values, failed);
    }
}
