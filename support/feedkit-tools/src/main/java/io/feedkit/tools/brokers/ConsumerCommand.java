package io.feedkit.tools.brokers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedkit.tools.servers.KafkaUrl;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Another service, which consumes post events from Kafka. It uses neither FeedKit nor its database. */
@Command(name = "consumer", sortOptions = false, description = "Prints the post events in Kafka, until Ctrl-C.")
final class ConsumerCommand implements Callable<Integer> {

    /** The beginning of the line that the consumer prints for an event. The post follows. */
    static final String RECEIVED = "received ";

    private static final Duration POLL = Duration.ofMillis(200);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final Place place = new Place();

    @Mixin
    private final Lifetime lifetime = new Lifetime();

    @Override
    public Integer call() {
        place.check();
        String url = place.events()
                .orElseThrow(() ->
                        new ParameterException(spec.commandLine(), "--events is missing: the consumer needs Kafka"));
        lifetime.begin();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings(url), new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(place.eventTopic()));
            Lines.print(spec, Lines.READY);
            while (!lifetime.isOver()) {
                consumer.poll(POLL).forEach(this::print);
            }
            return ExitCode.OK;
        } finally {
            lifetime.end();
        }
    }

    private Map<String, Object> settings(String url) {
        Map<String, Object> settings = new HashMap<>(KafkaUrl.settings("events", url));
        settings.put("group.id", place.eventTopic() + "-consumer");
        settings.put("auto.offset.reset", "earliest");
        return settings;
    }

    private void print(ConsumerRecord<String, String> event) {
        Lines.print(
                spec,
                RECEIVED + event.key() + "/" + header(event, "ce_subject") + ": " + header(event, "ce_type") + " "
                        + event.value());
    }

    private static String header(ConsumerRecord<String, String> event, String name) {
        return Optional.ofNullable(event.headers().lastHeader(name))
                .map(Header::value)
                .map(value -> new String(value, UTF_8))
                .orElse("?");
    }
}
