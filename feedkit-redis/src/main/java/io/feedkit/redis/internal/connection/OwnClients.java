package io.feedkit.redis.internal.connection;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.HashedWheelTimer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Clients of FeedKit's own, with the options that it needs. */
final class OwnClients {

    /**
     * A client notices within a second that a server is back. The jitter keeps many clients from reconnecting at once.
     */
    private static final Delay RECONNECT =
            Delay.fullJitter(Duration.ofMillis(10), Duration.ofSeconds(1), 10, TimeUnit.MILLISECONDS);

    /** Finds changes that no answer and no lost connection shows, such as a master that became unreachable. */
    private static final Duration TOPOLOGY_PERIOD = Duration.ofSeconds(10);

    /** A moved slot or an unreachable master makes the client read the topology again, but no more often than this. */
    private static final Duration TOPOLOGY_PAUSE = Duration.ofMillis(500);

    /**
     * How long a client that ends waits for a connection, or a refresh of the topology, that is under way. Without the
     * wait, Netty ends its threads after a last look at its queue, and a connection made afterwards is never closed.
     */
    private static final Duration LAST_CONNECTIONS = Duration.ofMillis(100);

    private static final int UNREACHABLE_AFTER = 2;

    private static final int CALLS_AT_ONCE = 256;

    private OwnClients() {}

    static ConnectionFactory single(RedisURI address, ClientSettings settings) {
        Duration timeout = settings.timeout();
        ClientResources threads = settings.resources().orElseGet(OwnClients::newResources);
        RedisClient client = RedisClient.create(threads);
        client.setOptions(options(ClientOptions.builder(), settings).build());
        RedisURI uri = within(timeout, address);
        return new ConnectionFactory(
                () -> client.connect(ByteArrayCodec.INSTANCE, uri),
                () -> client.connectPubSub(ByteArrayCodec.INSTANCE, uri),
                () -> {},
                false,
                end(client, threads, settings.resources().isEmpty(), false, timeout));
    }

    static ConnectionFactory cluster(List<RedisURI> members, ClientSettings settings) {
        Duration timeout = settings.timeout();
        ClientResources threads = settings.resources().orElseGet(OwnClients::newResources);
        List<RedisURI> uris =
                members.stream().map(member -> within(timeout, member)).toList();
        RedisClusterClient client = RedisClusterClient.create(threads, uris);
        ClusterClientOptions.Builder builder = ClusterClientOptions.builder();
        options(builder, settings);
        client.setOptions(builder.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(TOPOLOGY_PERIOD)
                        .adaptiveRefreshTriggersTimeout(TOPOLOGY_PAUSE)
                        .refreshTriggersReconnectAttempts(UNREACHABLE_AFTER)
                        .build())
                .build());
        return new ConnectionFactory(
                () -> client.connect(ByteArrayCodec.INSTANCE),
                () -> client.connectPubSub(ByteArrayCodec.INSTANCE),
                client::refreshPartitions,
                true,
                end(client, threads, settings.resources().isEmpty(), true, timeout));
    }

    /**
     * Starting Netty's timer swallows an interrupt of the starting thread, because it waits until the timer runs. So
     * this method sets the interrupt aside, and starts the timer itself instead of leaving that to the first
     * connection.
     */
    private static ClientResources newResources() {
        boolean interrupted = Thread.interrupted();
        try {
            ClientResources resources = batchingResources();
            if (resources.timer() instanceof HashedWheelTimer timer) {
                timer.start();
            }
            return resources;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Creates resources that send simultaneous calls of several threads together. Otherwise each call would cost client
     * and server a system call.
     */
    private static ClientResources batchingResources() {
        return DefaultClientResources.builder()
                .reconnectDelay(RECONNECT)
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        channel.pipeline().addFirst(new FlushConsolidationHandler(CALLS_AT_ONCE, true));
                    }
                })
                .build();
    }

    private static <B extends ClientOptions.Builder> B options(B builder, ClientSettings settings) {
        Duration timeout = settings.timeout();
        settings.ssl().ifPresent(builder::sslOptions);
        builder.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .timeoutOptions(TimeoutOptions.enabled(timeout))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(timeout)
                        .keepAlive(true)
                        .build());
        return builder;
    }

    private static ConnectionFactory.End end(
            AbstractRedisClient client,
            ClientResources threads,
            boolean ownThreads,
            boolean alwaysConnecting,
            Duration timeout) {
        return connecting -> {
            Duration quietPeriod = connecting || alwaysConnecting ? LAST_CONNECTIONS : Duration.ZERO;
            // shutdown() is not used, because an interrupt would end it before the threads have ended.
            client.shutdownAsync(quietPeriod.toMillis(), timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .exceptionally(failure -> null)
                    .join();
            if (ownThreads) {
                threads.shutdown(0, timeout.toMillis(), TimeUnit.MILLISECONDS).awaitUninterruptibly(timeout.toMillis());
            }
        };
    }

    /** The same address with another time-out. Lettuce's own copies lack the sentinels. */
    private static RedisURI within(Duration timeout, RedisURI address) {
        RedisURI.Builder copy = RedisURI.builder(address).withTimeout(timeout);
        for (RedisURI sentinel : address.getSentinels()) {
            copy.withSentinel(RedisURI.builder(sentinel).withTimeout(timeout).build());
        }
        Optional.ofNullable(address.getSentinelMasterId()).ifPresent(copy::withSentinelMasterId);
        return copy.build();
    }
}
