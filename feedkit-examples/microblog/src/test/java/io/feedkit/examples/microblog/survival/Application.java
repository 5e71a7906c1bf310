package io.feedkit.examples.microblog.survival;

import static org.awaitility.Awaitility.await;

import io.feedkit.examples.microblog.Microblog;
import io.feedkit.testservers.ChildProcess;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** The application in a process of its own, which can be killed and started again on the same port. */
final class Application implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final int ANSWER_MILLIS = 2_000;

    // Below the ports that the system gives to clients, which could take this one while the application is down.
    private static final int LOWEST_PORT = 12_000;
    private static final int END_OF_PORTS = 32_000;

    private static final List<String> JVM_OPTIONS =
            List.of("-Xmx256m", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final int port = freePort();
    private final List<String> jvmOptions = new ArrayList<>(JVM_OPTIONS);
    private Optional<ChildProcess> process = Optional.empty();

    /** @param properties of the application, such as {@code feedkit.lease=5s} */
    Application(List<String> properties) {
        properties.forEach(property -> jvmOptions.add("-D" + property));
    }

    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, END_OF_PORTS);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (IOException e) {
                // Somebody has this port.
            }
        }
    }

    /** The port, which a restart does not change. */
    int port() {
        return port;
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /** Starts the process, without waiting until it answers. */
    void start() {
        close();
        process = Optional.of(ChildProcess.start(
                Microblog.class,
                List.of("--quiet", "--world", "none", "--profile", "postgres,redis", "--port", Integer.toString(port)),
                jvmOptions));
    }

    void awaitAnswers() {
        await("the application answers on port " + port)
                .atMost(START_LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .until(this::answers);
    }

    private boolean isRunning() {
        return process.map(ChildProcess::isAlive).orElse(false);
    }

    private boolean answers() {
        if (!isRunning()) {
            throw new IllegalStateException("the application ended:\n" + String.join("\n", output()));
        }
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) uri("/api/v1/streaming/health").toURL().openConnection();
            connection.setReadTimeout(ANSWER_MILLIS);
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            return false;
        }
    }

    /** The output of the process so far. */
    List<String> output() {
        return process.map(ChildProcess::output).orElse(List.of());
    }

    /** Kills the process with SIGKILL, if it runs. */
    @Override
    public void close() {
        process.ifPresent(ChildProcess::close);
    }
}
