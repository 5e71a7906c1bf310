package io.feedkit.examples.microblog.panel;

import io.feedkit.Cursor;
import io.feedkit.examples.microblog.panel.ReadNumbers.Reads;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.json.JsonMapper;

/** Measures what FeedKit does for a page, and writes it into a header for the page of this server. */
@Component
public class ReadMeter {

    static final String HEADER = "X-FeedKit";

    private final ReadNumbers numbers;
    private final Policies policies;
    private final JsonMapper json;

    ReadMeter(ReadNumbers numbers, Policies policies, JsonMapper json) {
        this.numbers = numbers;
        this.policies = policies;
        this.json = json;
    }

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    private record Shown(
            String policy,
            int fromInbox,
            int fromOutboxes,
            int outboxCalls,
            int roundTrips,
            long micros,
            String newer) {}

    /** What was read, and how. */
    public final class Measured<T> {

        private final T result;
        private final Reads reads;
        private final int roundTrips;

        private Measured(T result, Reads reads, int roundTrips) {
            this.result = result;
            this.reads = reads;
            this.roundTrips = roundTrips;
        }

        public T result() {
            return result;
        }

        /**
         * The header.
         *
         * @param newer where the page's live feed begins
         */
        public HttpHeaders header(Cursor newer) {
            Shown shown = new Shown(
                    policies.current(),
                    reads.fromInbox(),
                    reads.fromOutboxes(),
                    reads.outboxCalls(),
                    roundTrips,
                    TimeUnit.NANOSECONDS.toMicros(reads.took().toNanos()),
                    newer.toString());
            HttpHeaders headers = new HttpHeaders();
            headers.set(HEADER, json.writeValueAsString(shown));
            return headers;
        }
    }

    public <T> Measured<T> measure(Supplier<T> read) {
        numbers.begin();
        int before = RoundTrips.sent();
        T result = read.get();
        Reads reads = numbers.get();
        return new Measured<>(result, reads, Math.max(0, reads.sent() - before));
    }
}
