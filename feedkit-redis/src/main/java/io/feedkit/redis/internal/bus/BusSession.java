package io.feedkit.redis.internal.bus;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedkit.redis.UnusableServerException;
import io.feedkit.redis.UnusableServerException.Reason;
import io.feedkit.redis.internal.connection.ConnectionFactory;
import io.feedkit.redis.internal.connection.MasterConnections;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A connection that publishes, and one that has subscribed. Both are to the server that has the channel: the one
 * server, or the master of the channel's slot. A session that is broken stays broken, and its owner opens another one:
 * a failover, a moved slot and a silent server have the same remedy. Thread-safe.
 *
 * <p>In a cluster the channel is sharded if the server has sharded channels (Redis 7, Valkey): then only the members
 * that have the slot get its messages. Otherwise members pass every message on to all others. All processes use the
 * same server, and so the same kind of channel.
 */
final class BusSession implements AutoCloseable {

    /** What a session tells its owner. */
    interface Owner {

        /** A message arrived. Called on a thread of Lettuce. */
        void received(String message);

        /** The session is broken. Called on any thread. */
        void broken();
    }

    /** Sent if an engine sends nothing. It is shorter than any message of an engine, and no listener gets it. */
    private static final String PROBE = "";

    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final String UNKNOWN_COMMAND = "ERR unknown command";
    private static final String FORBIDDEN = "NOPERM";

    private final StatefulConnection<byte[], byte[]> publishing;
    private final StatefulRedisPubSubConnection<byte[], byte[]> subscribing;
    private final StatefulRedisConnection<byte[], byte[]> toMaster;
    private final StatefulRedisPubSubConnection<byte[], byte[]> fromMaster;
    private final byte[] channel;
    private final int slot;
    private final String master;
    private final Owner owner;
    private final Echo echo = new Echo();
    private final boolean sharded;
    private volatile boolean broken;
    private volatile boolean closed;
    private volatile long sentAt = System.nanoTime();

    private BusSession(
            StatefulConnection<byte[], byte[]> publishing,
            StatefulRedisPubSubConnection<byte[], byte[]> subscribing,
            boolean cluster,
            byte[] channel,
            Duration timeout,
            Owner owner) {
        this.publishing = publishing;
        this.subscribing = subscribing;
        this.channel = channel;
        this.owner = owner;
        slot = SlotHash.getSlot(channel);
        master = MasterConnections.address(publishing, slot);
        toMaster = (StatefulRedisConnection<byte[], byte[]>) MasterConnections.ofSlot(publishing, slot, master);
        fromMaster = MasterConnections.subscriberOf(subscribing, master);
        RedisConnectionStateListener lost = new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
                breakUp();
            }
        };
        toMaster.addListener(lost);
        fromMaster.addListener(lost);
        fromMaster.addListener(new Messages());
        sharded = cluster && subscribeSharded(timeout);
        if (!sharded) {
            subscribed(fromMaster.async().subscribe(channel), timeout);
        }
    }

    /**
     * Connects and subscribes. When this returns, messages that are sent later arrive.
     *
     * @throws RedisException if the servers cannot be reached
     * @throws UnusableServerException if the user may not use the channel
     */
    static BusSession open(ConnectionFactory connections, byte[] channel, Duration timeout, Owner owner) {
        connections.refresh().run();
        StatefulConnection<byte[], byte[]> publishing = connections.connect().get();
        try {
            StatefulRedisPubSubConnection<byte[], byte[]> subscribing =
                    connections.subscribe().get();
            try {
                return new BusSession(publishing, subscribing, connections.cluster(), channel, timeout, owner);
            } catch (Throwable e) {
                subscribing.close();
                throw e;
            }
        } catch (Throwable e) {
            publishing.close();
            throw e;
        }
    }

    private boolean subscribeSharded(Duration timeout) {
        try {
            subscribed(fromMaster.async().ssubscribe(channel), timeout);
            return true;
        } catch (RedisCommandExecutionException e) {
            if (message(e).startsWith(UNKNOWN_COMMAND)) {
                return false;
            }
            throw e;
        }
    }

    private void subscribed(Future<?> answer, Duration timeout) {
        try {
            answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            RedisException failure = failure(e);
            if (message(failure).startsWith(FORBIDDEN)) {
                String name = new String(channel, US_ASCII);
                throw new UnusableServerException(
                        Reason.ACCESS_DENIED,
                        "the user may not use the channel " + name + " (" + message(failure)
                                + "): allow SUBSCRIBE, PUBLISH, SSUBSCRIBE and SPUBLISH on it (ACL SETUSER ... &"
                                + name + ")",
                        failure);
            }
            throw failure;
        } catch (TimeoutException e) {
            throw new RedisException("no answer to SUBSCRIBE within " + timeout, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RedisException("interrupted while subscribing", e);
        }
    }

    private static RedisException failure(ExecutionException e) {
        return e.getCause() instanceof RedisException known ? known : new RedisException(e.getCause());
    }

    private static String message(Throwable failure) {
        return String.valueOf(failure.getMessage());
    }

    /**
     * Sends a message.
     *
     * @param nanos how long to wait for the answer
     * @throws RedisException if the server refuses the message or does not answer; the message may have been sent
     * @throws InterruptedException if the caller is interrupted; the message may have been sent
     */
    void send(String message, long nanos) throws InterruptedException {
        long now = System.nanoTime();
        sentAt = now;
        echo.sending(message, now);
        byte[] text = message.getBytes(US_ASCII);
        RedisAsyncCommands<byte[], byte[]> commands = toMaster.async();
        try {
            Future<Long> answer = sharded ? commands.spublish(channel, text) : commands.publish(channel, text);
            Long unused = answer.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            RedisException failure = failure(e);
            if (message(failure).startsWith(FORBIDDEN)) {
                // Another session would not change the user's rights.
                echo.forget(message);
            } else {
                breakUp();
            }
            throw failure;
        } catch (TimeoutException e) {
            breakUp();
            throw new RedisException("no answer to PUBLISH in time", e);
        }
    }

    /** Sends a probe if no message was sent for a while, so that a silent connection is noticed. */
    void probe(long nanos) throws InterruptedException {
        if (System.nanoTime() - sentAt > PROBE_NANOS) {
            send(PROBE, nanos);
        }
    }

    /** Why this connection is no longer usable; empty if it is. */
    Optional<String> trouble() {
        if (broken || !toMaster.isOpen() || !fromMaster.isOpen()) {
            return Optional.of("a connection was lost");
        }
        // Without sharded channels the old master would do, but all processes should use the same one.
        String now = MasterConnections.address(publishing, slot);
        if (!now.equals(master) && !now.isEmpty()) {
            return Optional.of("its slot moved to " + now);
        }
        return echo.isMissing(System.nanoTime())
                ? Optional.of("a sent message did not arrive within "
                        + TimeUnit.NANOSECONDS.toSeconds(Echo.LONGEST_NANOS) + " s")
                : Optional.empty();
    }

    private void breakUp() {
        broken = true;
        if (!closed) {
            owner.broken();
        }
    }

    /** Closes the connections. No message arrives afterwards. */
    @Override
    public void close() {
        closed = true;
        try {
            subscribing.close();
        } finally {
            publishing.close();
        }
    }

    /** What the server sends on the connection that has subscribed. */
    private final class Messages extends RedisPubSubAdapter<byte[], byte[]> {

        @Override
        public void message(byte[] from, byte[] message) {
            String text = new String(message, US_ASCII);
            echo.forget(text);
            if (!closed && !text.equals(PROBE)) {
                owner.received(text);
            }
        }

        @Override
        public void smessage(byte[] from, byte[] message) {
            message(from, message);
        }

        /** The channel's slot moved to another server. */
        @Override
        public void sunsubscribed(byte[] from, long count) {
            breakUp();
        }
    }
}
