package io.feedkit.redis.survival;

import static org.awaitility.Awaitility.await;

import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.internal.HostAndPort;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.MappingSocketAddressResolver;
import java.time.Duration;

/**
 * An address that leads to a master until the master is killed, and then to its replica, as a hosting provider moves a
 * host name.
 */
final class MovedAddress implements AutoCloseable {

    private final RedisServer master = RedisServer.start(Durability.FAST);
    private final RedisServer replica =
            RedisServer.start(Durability.FAST, "--replicaof", "127.0.0.1", Integer.toString(master.port()));
    private final ClientResources resources = ClientResources.builder()
            .socketAddressResolver(MappingSocketAddressResolver.create((HostAndPort address) ->
                    HostAndPort.of("127.0.0.1", current().port())))
            .build();

    private volatile boolean moved;

    MovedAddress() {
        await().until(() -> replica.ask("INFO", "replication").contains("master_link_status:up"));
    }

    private RedisServer current() {
        return moved ? replica : master;
    }

    RedisInboxes inboxes() {
        return RedisInboxes.builder(RedisServers.at(RedisURI.create("redis://moved")))
                .resources(resources)
                .timeout(Duration.ofSeconds(2))
                .build();
    }

    /** The replica gets everything so far, and nothing from now on. */
    void cutOff() {
        await().until(() -> offset(master, "master_repl_offset:").equals(offset(replica, "slave_repl_offset:")));
        replica.ask("REPLICAOF", "NO", "ONE");
    }

    private static String offset(RedisServer server, String name) {
        return server.ask("INFO", "replication")
                .lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()))
                .findFirst()
                .orElse("none of " + name);
    }

    void failOver() {
        moved = true;
        master.kill();
    }

    @Override
    public void close() {
        resources.shutdown().awaitUninterruptibly();
        replica.close();
        master.close();
    }
}
