package io.feedkit.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.testkit.FanoutQueueCompatibilityKit;
import io.feedkit.testservers.FaultyProxy;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("matrix")
class RabbitMqFanoutQueueCompatibilityTest extends FanoutQueueCompatibilityKit {

    private static final int CAPACITY = 1000;

    private final String prefix = TestRabbit.newPrefix();
    private final FaultyProxy proxy = FaultyProxy.before(TestRabbit.server().port());
    private final FanoutQueue queue = queue(TestRabbit.factory(proxy.port()));
    private final FanoutQueue another =
            queue(TestRabbit.factory(TestRabbit.server().port()));

    private FanoutQueue queue(ConnectionFactory factory) {
        return RabbitMqFanoutQueue.builder(factory)
                .queuePrefix(prefix)
                .maxLength(CAPACITY)
                .sendTimeout(Duration.ofSeconds(3))
                .build();
    }

    @Override
    protected FanoutQueue queue() {
        return queue;
    }

    @Override
    protected FanoutQueue anotherQueue() {
        return another;
    }

    @Override
    protected List<String> deadLetters() {
        return TestRabbit.look(prefix + ".dead");
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

    @Override
    protected OptionalInt capacity() {
        return OptionalInt.of(CAPACITY);
    }

    @AfterEach
    void close() {
        queue.close();
        another.close();
        proxy.close();
        TestRabbit.delete(prefix);
    }
}
