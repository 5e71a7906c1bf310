package io.feedkit.micrometer;

import static java.util.Objects.requireNonNull;

import io.feedkit.event.OperationStarted.Kind;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The names and key values of observations, unless the host's registry has others. */
final class FeedObservationConvention implements ObservationConvention<FeedObservationContext> {

    private static final Map<Kind, FeedObservationConvention> ALL = Arrays.stream(Kind.values())
            .collect(Collectors.toUnmodifiableMap(Function.identity(), FeedObservationConvention::new));

    private final Kind kind;
    private final String name;

    private FeedObservationConvention(Kind kind) {
        this.kind = kind;
        name = "feedkit." + Names.of(kind).replace('_', '.');
    }

    static FeedObservationConvention of(Kind kind) {
        return requireNonNull(ALL.get(kind));
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof FeedObservationContext ours && ours.kind() == kind;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public String getContextualName(FeedObservationContext context) {
        return switch (kind) {
            case PUBLISH -> "publish posts";
            case READ -> "read feed";
            case COUNT_UNREAD -> "count unread posts";
            case PROCESS_TASKS -> "process fan-out tasks";
        };
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(FeedObservationContext context) {
        return switch (kind) {
            case READ ->
                KeyValues.of(
                        "source",
                        context.read()
                                .map(page -> Names.of(ReadSource.of(page)))
                                .orElse(KeyValue.NONE_VALUE));
            case PUBLISH, COUNT_UNREAD, PROCESS_TASKS -> KeyValues.empty();
        };
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(FeedObservationContext context) {
        return switch (kind) {
            case PUBLISH -> KeyValues.of(number("posts", context.size()));
            case READ -> ofRead(context);
            case COUNT_UNREAD -> KeyValues.of(number("readers", context.size()));
            case PROCESS_TASKS ->
                KeyValues.of(
                        number("tasks", context.size()),
                        number("finished", context.finishedTasks()),
                        number("failed", context.failedTasks()));
        };
    }

    private static KeyValues ofRead(FeedObservationContext context) {
        KeyValues asked = KeyValues.of(number("limit", context.size()));
        return context.read()
                .map(page -> asked.and(
                        number("posts", page.fromInbox() + page.fromOutboxes()),
                        number("outbox.calls", page.outboxCalls())))
                .orElse(asked);
    }

    private static KeyValue number(String key, int number) {
        return KeyValue.of(key, Integer.toString(number));
    }
}
