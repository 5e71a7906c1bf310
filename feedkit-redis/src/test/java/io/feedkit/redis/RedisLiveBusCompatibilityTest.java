package io.feedkit.redis;

import io.feedkit.live.LiveBus;
import io.feedkit.testkit.LiveBusCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnTopologies
class RedisLiveBusCompatibilityTest extends LiveBusCompatibilityKit {

    private final ProxiedServers servers = new ProxiedServers();
    private final RedisLiveBus bus;
    private final RedisLiveBus another;
    private final RedisLiveBus separate;

    RedisLiveBusCompatibilityTest(Topology topology) {
        RedisServers at = RedisServers.at(topology.uri().get());
        String prefix = TestInboxes.newPrefix();
        bus = RedisLiveBus.builder(at)
                .prefix(prefix)
                .resources(servers.resources())
                .build();
        another = RedisLiveBus.builder(at).prefix(prefix).build();
        separate = RedisLiveBus.builder(at).prefix(TestInboxes.newPrefix()).build();
    }

    @Override
    protected LiveBus bus() {
        return bus;
    }

    @Override
    protected LiveBus anotherBus() {
        return another;
    }

    @Override
    protected LiveBus separateBus() {
        return separate;
    }

    @Override
    protected void close(LiveBus closing) {
        bus.close();
    }

    @Override
    protected void beginOutage() {
        servers.cut();
    }

    @Override
    protected void endOutage() {
        servers.restore();
    }

    @Override
    protected Duration quietTime() {
        return Duration.ofMillis(50);
    }

    @AfterEach
    void close() {
        bus.close();
        another.close();
        separate.close();
        servers.close();
    }
}
