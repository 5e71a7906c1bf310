package io.feedkit.kafka;

import io.feedkit.kafka.KafkaFanoutQueue.Mode;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.testkit.FanoutQueueCompatibilityKit;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** The kit on a broker behind a proxy. */
abstract class KafkaQueueKit extends FanoutQueueCompatibilityKit {

    private static KafkaServer server;
    private static FaultyProxy proxy;

    private final Mode mode;
    private final String prefix = TestQueues.newPrefix();
    private final List<FanoutQueue> opened = new ArrayList<>();

    KafkaQueueKit(Mode mode) {
        this.mode = mode;
    }

    @BeforeAll
    static void begin() {
        KafkaServer.Options options = KafkaServer.options();
        proxy = FaultyProxy.before(options.port());
        server = options.behind(proxy).start();
        // The first questions of a process take long.
        KafkaFanoutQueue.builder(TestQueues.settings(server.bootstrapServers()))
                .build()
                .close();
    }

    @AfterAll
    static void end() {
        server.close();
        proxy.close();
    }

    @AfterEach
    void close() {
        opened.forEach(FanoutQueue::close);
    }

    private FanoutQueue open() {
        FanoutQueue queue =
                TestQueues.builder(server.bootstrapServers(), prefix).mode(mode).build();
        opened.add(queue);
        return queue;
    }

    @Override
    protected FanoutQueue queue() {
        return opened.isEmpty() ? open() : opened.get(0);
    }

    @Override
    protected FanoutQueue anotherQueue() {
        return open();
    }

    @Override
    protected List<String> deadLetters() {
        return TestQueues.deadLetters(TestQueues.settings(server.bootstrapServers()), prefix);
    }

    @Override
    protected void beginOutage() {
        proxy.refuse();
        proxy.resetAll();
    }

    @Override
    protected void endOutage() {
        proxy.pass();
    }

    /** Each opens and closes members of a group, which takes tenths of a second. */
    @Override
    protected int rounds() {
        return 3;
    }

    @Override
    protected Duration quietTime() {
        return Duration.ofMillis(200);
    }

    @Override
    protected boolean partitioned() {
        return mode == Mode.CONSUMER_GROUP;
    }
}
