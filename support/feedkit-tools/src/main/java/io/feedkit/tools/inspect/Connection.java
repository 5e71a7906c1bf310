package io.feedkit.tools.inspect;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.net.URI;

/**
 * A connection to Redis, separate from that of a store: to one server, to the master that sentinels name, or to a
 * cluster.
 */
public final class Connection implements AutoCloseable {

    private static final String CLUSTER = "-cluster://";
    private static final int AT_ONCE = 1000;

    private final AbstractRedisClient client;
    private final RedisClusterCommands<byte[], byte[]> commands;

    private Connection(AbstractRedisClient client, RedisClusterCommands<byte[], byte[]> commands) {
        this.client = client;
        this.commands = commands;
    }

    /**
     * Connects.
     *
     * @param uri an address as for a store
     * @return the connection
     * @throws IllegalArgumentException if the address cannot be parsed
     */
    public static Connection open(String uri) {
        return uri.contains(CLUSTER) ? cluster(uri.replace(CLUSTER, "://")) : single(uri);
    }

    private static Connection single(String uri) {
        RedisClient client = RedisClient.create(uri);
        try {
            return new Connection(
                    client, client.connect(ByteArrayCodec.INSTANCE).sync());
        } catch (RuntimeException e) {
            client.shutdown();
            throw e;
        }
    }

    private static Connection cluster(String uri) {
        RedisClusterClient client = RedisClusterClient.create(RedisClusterURIUtil.toRedisURIs(URI.create(uri)));
        try {
            return new Connection(
                    client, client.connect(ByteArrayCodec.INSTANCE).sync());
        } catch (RuntimeException e) {
            client.shutdown();
            throw e;
        }
    }

    /** The commands that a server and a cluster have in common. */
    RedisClusterCommands<byte[], byte[]> commands() {
        return commands;
    }

    /**
     * Removes all keys under a prefix.
     *
     * @param prefix the prefix of a store
     */
    public void removeAll(String prefix) {
        ScanArgs ours = ScanArgs.Builder.matches(prefix + ":*").limit(AT_ONCE);
        KeyScanCursor<byte[]> found = commands.scan(ours);
        while (true) {
            if (!found.getKeys().isEmpty()) {
                commands.unlink(found.getKeys().toArray(byte[][]::new));
            }
            if (found.isFinished()) {
                return;
            }
            found = commands.scan(found, ours);
        }
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
