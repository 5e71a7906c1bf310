package io.feedkit.bench.scale.outage;

import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.FaultyProxy.Direction;
import io.feedkit.testservers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Redis without a disk behind a proxy, with inboxes. */
final class InboxServer implements AutoCloseable {

    private final RedisServer server = RedisServer.start(Durability.FAST);
    private final FaultyProxy proxy = FaultyProxy.before(server.port());
    private String process = "";

    /** A connection with default settings, as a host would open it. */
    RedisInboxes connect() {
        return RedisInboxes.create(RedisServers.at("redis://127.0.0.1:" + proxy.port()));
    }

    void kill() {
        server.kill();
    }

    void restart() {
        server.restart();
    }

    void freeze() {
        process = server.ask("INFO", "server")
                .lines()
                .filter(line -> line.startsWith("process_id:"))
                .map(line -> line.substring(line.indexOf(':') + 1).trim())
                .findFirst()
                .orElseThrow();
        signal("-STOP");
    }

    void thaw() {
        signal("-CONT");
    }

    private void signal(String signal) {
        try {
            int code = new ProcessBuilder("kill", signal, process)
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill " + signal + " " + process + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    void blackHole() {
        proxy.blackHole(Direction.REQUESTS);
        proxy.blackHole(Direction.REPLIES);
    }

    void pass() {
        proxy.pass();
    }

    @Override
    public void close() {
        proxy.close();
        server.close();
    }
}
