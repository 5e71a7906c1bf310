package io.feedkit.survival;

import io.feedkit.kafka.KafkaFanoutQueue;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.KafkaServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/** A broker of Kafka. */
record KafkaBroker(KafkaServer server, FaultyProxy proxy) implements Broker {

    private static final String SCHEME = "kafka://";
    private static final int PARTITIONS = 3;

    static Broker start() {
        KafkaServer.Options options = KafkaServer.options();
        FaultyProxy proxy = FaultyProxy.before(options.port());
        return new KafkaBroker(options.behind(proxy).start(), proxy);
    }

    static FanoutQueue queue(String address, String run) {
        return KafkaFanoutQueue.builder(settings(address))
                .topicPrefix(run)
                .partitions(PARTITIONS)
                .sendTimeout(SEND_TIMEOUT)
                .build();
    }

    private static Map<String, Object> settings(String address) {
        return Map.of("bootstrap.servers", address.substring(SCHEME.length()), "fetch.max.wait.ms", 20);
    }

    @Override
    public String address() {
        return SCHEME + server.bootstrapServers();
    }

    @Override
    public void kill() {
        server.kill();
    }

    @Override
    public void restart() {
        server.restart();
    }

    @Override
    public void wipe() {
        server.restartEmpty();
    }

    /** The broker's default for members of share groups. */
    @Override
    public Duration limitAcknowledgements() {
        return Duration.ofSeconds(30);
    }

    @Override
    public void purge(String run) {
        try (Admin admin = Admin.create(settings(address()))) {
            Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
            for (TopicDescription topic : admin.describeTopics(List.of(run + "-small", run + "-bulk"))
                    .allTopicNames()
                    .get()
                    .values()) {
                for (TopicPartitionInfo partition : topic.partitions()) {
                    all.put(new TopicPartition(topic.name(), partition.partition()), RecordsToDelete.beforeOffset(-1));
                }
            }
            admin.deleteRecords(all).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the topics of " + run + " cannot be purged", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public boolean canBlock() {
        return false;
    }

    @Override
    public void block() {
        throw new UnsupportedOperationException("a broker of Kafka does not block");
    }

    @Override
    public void unblock() {
        throw new UnsupportedOperationException("a broker of Kafka does not block");
    }

    @Override
    public void close() {
        proxy.close();
        server.close();
    }
}
