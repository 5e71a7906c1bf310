package io.feedkit.kafka.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedkit.Post;
import io.feedkit.queue.PostEvent;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Events of posts as records of Kafka: CloudEvents 1.0 in binary mode, by the Kafka protocol binding 1.0.
 *
 * @param source the source of the events, a URI reference
 */
public record CloudEvents(String source) {

    private static final String TYPES = "io.feedkit.post.";

    /** Creates the record of an event for a topic. */
    public ProducerRecord<byte[], byte[]> record(String topic, PostEvent event) {
        Post post = event.post();
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, bytes(post.author()), bytes(json(post)));
        header(record, "ce_specversion", "1.0");
        header(record, "ce_type", type(event.type()));
        header(record, "ce_source", source);
        header(record, "ce_id", event.id());
        header(record, "ce_subject", post.id());
        header(record, "ce_time", event.recordedAt().toString());
        header(record, "content-type", "application/json");
        return record;
    }

    private static String type(PostEvent.Type type) {
        return switch (type) {
            case CREATED -> TYPES + "created";
            case DELETED -> TYPES + "deleted";
        };
    }

    private static String json(Post post) {
        return "{\"author\":" + quoted(post.author()) + ",\"id\":" + quoted(post.id()) + ",\"publishedAt\":"
                + post.publishedAt().toEpochMilli() + "}";
    }

    /** Ids are visible ASCII, so only quotation marks and backslashes have to be escaped. */
    private static String quoted(String id) {
        return '"' + id.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static void header(ProducerRecord<byte[], byte[]> record, String name, String value) {
        record.headers().add(name, bytes(value));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
