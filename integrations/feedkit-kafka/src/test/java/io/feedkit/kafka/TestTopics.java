package io.feedkit.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Topics of a host, as a host sees them. */
final class TestTopics {

    private static final AtomicInteger TOPICS = new AtomicInteger();
    private static final Duration POLL = Duration.ofMillis(100);

    private final Map<String, Object> settings;

    TestTopics(String bootstrapServers) {
        settings = TestQueues.settings(bootstrapServers);
    }

    /** A name that no other test of this server uses. */
    static String newName() {
        return "topic-" + TOPICS.incrementAndGet();
    }

    Map<String, Object> settings() {
        return settings;
    }

    /** Makes a topic. */
    String create(String topic, int partitions) {
        return create(topic, partitions, Map.of());
    }

    String create(String topic, int partitions, Map<String, String> config) {
        try (Admin admin = Admin.create(settings)) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(config)))
                    .all()
                    .get();
            return topic;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Settings of a producer with one request in flight: with several, an idempotent producer may hang on a partition
     * that has just got its leader.
     */
    Map<String, Object> sending() {
        Map<String, Object> sending = new HashMap<>(settings);
        sending.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        return sending;
    }

    /** Sends records, one after the other. */
    void send(Collection<ProducerRecord<byte[], byte[]>> records) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(sending(), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (ProducerRecord<byte[], byte[]> record : records) {
                Future<RecordMetadata> unused = producer.send(record);
            }
            producer.flush();
        }
    }

    /** All records that are in a topic now, in the order of each partition. */
    List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(found -> new TopicPartition(topic, found.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(POLL).forEach(records::add);
            }
        }
        return records;
    }

    /** How many records of a topic a group has not committed. */
    long lag(String topic, String group) {
        try (Admin admin = Admin.create(settings);
                KafkaConsumer<byte[], byte[]> consumer =
                        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get();
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(found -> new TopicPartition(topic, found.partition()))
                    .toList();
            return consumer.endOffsets(partitions).entrySet().stream()
                    .mapToLong(end -> end.getValue()
                            - Optional.ofNullable(committed.get(end.getKey()))
                                    .map(OffsetAndMetadata::offset)
                                    .orElse(0L))
                    .sum();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** The ids of a group's members. */
    Set<String> members(String group) {
        try (Admin admin = Admin.create(settings)) {
            return admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
                    .flatMap(description -> description.members().stream())
                    .map(MemberDescription::consumerId)
                    .collect(Collectors.toSet());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Lets a group without members begin again. */
    void rewind(String topic, String group) {
        try (Admin admin = Admin.create(settings)) {
            Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
            admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .keySet()
                    .forEach(partition -> offsets.put(partition, new OffsetAndMetadata(0)));
            admin.alterConsumerGroupOffsets(group, offsets).all().get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    static Map<String, String> headers(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        record.headers().forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
        return headers;
    }

    static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }
}
