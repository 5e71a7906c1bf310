package io.feedkit.bench.microblog;

import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The microblog in a process of its own, on new servers. PostgreSQL flushes each commit. */
final class MicroblogServer implements AutoCloseable {

    private static final Path JAR = Path.of(System.getProperty(
            "feedkit.microblog.jar", "feedkit-examples/microblog/target/feedkit-example-microblog.jar"));

    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int END_SECONDS = 30;

    private final PostgresServer postgres;
    private final RedisServer redis;
    private final String database;
    private final int port;
    private final Process process;

    private MicroblogServer(PostgresServer postgres, RedisServer redis) {
        this.postgres = postgres;
        this.redis = redis;
        this.database = postgres.createDatabase();
        this.port = freePort();
        this.process = launch();
    }

    /** What is missing to start it. */
    static Optional<String> lacks() {
        return Files.exists(JAR) ? Optional.empty() : Optional.of(JAR + ", or -Dfeedkit.microblog.jar=FILE");
    }

    static MicroblogServer start() {
        PostgresServer postgres = PostgresServer.start(Durability.DURABLE);
        RedisServer redis = RedisServer.start(Durability.FAST);
        MicroblogServer server = new MicroblogServer(postgres, redis);
        try {
            server.awaitStart();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process launch() {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx2g",
                "-Dspring.datasource.url=" + database,
                "-Dspring.data.redis.port=" + redis.port(),
                "-Dmicroblog.rate-limit=off",
                "-Dmicroblog.by-hand=true",
                "-jar",
                JAR.toString(),
                "--quiet",
                "--world",
                "none",
                "--profile",
                "postgres,redis",
                "--port",
                String.valueOf(port));
        try {
            return new ProcessBuilder(command)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitStart() {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(uri("/api/v1/instance")).build();
        long end = System.nanoTime() + START.toNanos();
        while (System.nanoTime() < end && process.isAlive()) {
            try {
                if (client.send(request, BodyHandlers.discarding()).statusCode() == 200) {
                    return;
                }
            } catch (IOException e) {
                sleep();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
        throw new IllegalStateException("the microblog did not start on port " + port);
    }

    private static void sleep() {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /** The URL of the database. */
    String database() {
        return database;
    }

    String redis() {
        return redis.uri();
    }

    @Override
    public void close() {
        process.destroy();
        try (redis;
                postgres) {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
