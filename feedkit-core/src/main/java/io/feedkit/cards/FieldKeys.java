package io.feedkit.cards;

import io.feedkit.internal.host.Interrupts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys of one field on the cards of a page. Used by one thread.
 *
 * @param keys the cards that have a key, and the keys
 */
record FieldKeys<K, V>(PartField<K, V> field, PartValues<K, V> values, Map<CardDraft, K> keys) {

    /** Asks the host for the keys, and requests their values of the part. */
    static <K, V> FieldKeys<K, V> of(PartField<K, V> field, PartValues<K, V> values, List<CardDraft> drafts) {
        Map<CardDraft, K> keys = new LinkedHashMap<>();
        for (CardDraft draft : drafts) {
            if (field.source().filter(draft::hasFailed).isPresent()) {
                draft.fail(field);
                continue;
            }
            try {
                K key = field.key(draft);
                if (key != null) {
                    values.want(key);
                    keys.put(draft, key);
                }
            } catch (Throwable e) {
                Interrupts.keep(e);
                values.keyFailed(e);
                draft.fail(field);
            }
        }
        return new FieldKeys<>(field, values, keys);
    }

    /** Sets the values on the cards, after the part was called. */
    void setValues() {
        keys.forEach((draft, key) -> {
            if (values.hasFailed(key)) {
                draft.fail(field);
            } else {
                values.find(key).ifPresent(value -> draft.set(field, value));
            }
        });
    }
}
