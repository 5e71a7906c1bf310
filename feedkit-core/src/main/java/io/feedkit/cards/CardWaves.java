package io.feedkit.cards;

import static java.util.Comparator.comparing;

import io.feedkit.event.CardPartFailed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/** Loads the parts of one page, wave by wave. Used by one thread. */
final class CardWaves {

    private final String reader;
    private final List<CardDraft> drafts;
    private final Executor executor;
    private final BiConsumer<CardPartFailed, Throwable> failures;
    private final Map<CardPart<?, ?>, PartValues<?, ?>> parts = new LinkedHashMap<>();

    CardWaves(
            String reader, List<CardDraft> drafts, Executor executor, BiConsumer<CardPartFailed, Throwable> failures) {
        this.reader = reader;
        this.drafts = drafts;
        this.executor = executor;
        this.failures = failures;
    }

    /** Loads one wave. All calls are started before the first answer is awaited. */
    void load(List<PartField<?, ?>> fields) {
        List<FieldKeys<?, ?>> keys =
                fields.stream().<FieldKeys<?, ?>>map(this::keys).toList();
        List<PartCall<?, ?>> calls = parts.values().stream()
                .<PartCall<?, ?>>flatMap(values -> values.call(reader).stream())
                .toList();
        long start = System.nanoTime();
        calls.forEach(call -> call.start(executor, start));
        // A call with a short limit must not have time until a call with a long limit has answered.
        calls.stream().sorted(comparing(PartCall::limit)).forEach(PartCall::await);
        keys.forEach(FieldKeys::setValues);
        parts.values().forEach(values -> values.report(failures));
    }

    private <K, V> FieldKeys<K, V> keys(PartField<K, V> field) {
        return FieldKeys.of(field, values(field.part()), drafts);
    }

    @SuppressWarnings("unchecked") // Each part has the values of its own types.
    private <K, V> PartValues<K, V> values(CardPart<K, V> part) {
        return (PartValues<K, V>) parts.computeIfAbsent(part, key -> new PartValues<>(part));
    }
}
