package io.feedkit.survival.chaos;

import io.feedkit.survival.chaos.Answer.Outcome;
import io.feedkit.testservers.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The seat of an engine in a process of its own, which can be killed and restarted. */
final class ProcessSeat implements Seat {

    private static final List<String> JVM_OPTIONS = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-Xmx256m",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final int ANSWER_MILLIS = 60_000;

    private final EngineSettings settings;
    private volatile @Nullable Node node;
    private int starts;

    ProcessSeat(EngineSettings settings) {
        this.settings = settings;
    }

    /** A process, and the idle connections to it. */
    private record Node(String name, ChildProcess process, int port, Queue<Connection> idle) {}

    private record Connection(Socket socket, BufferedReader in) {

        static Connection to(int port) throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(ANSWER_MILLIS);
            return new Connection(
                    socket,
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)));
        }

        /** Sends a request. Closes the connection if there is no answer. */
        String ask(String request) throws IOException {
            try {
                return answer(request);
            } catch (IOException e) {
                close();
                throw e;
            }
        }

        private String answer(String request) throws IOException {
            socket.getOutputStream().write((request + "\n").getBytes(StandardCharsets.US_ASCII));
            String line = in.readLine();
            if (line == null) {
                throw new IOException("the process has ended");
            }
            return line;
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Starts a process, and returns when it accepts requests. */
    synchronized void start() {
        ChildProcess process = ChildProcess.start(NodeProcess.class, settings.arguments(), JVM_OPTIONS);
        String line = process.awaitLine("listens ", START_LIMIT);
        int port = Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
        starts++;
        node = new Node(settings.name() + "." + starts, process, port, new ConcurrentLinkedQueue<>());
    }

    /** Kills the process, if there is one. */
    synchronized void kill() {
        Node killed = node;
        node = null;
        if (killed != null) {
            killed.process().close();
            for (Connection each = killed.idle().poll();
                    each != null;
                    each = killed.idle().poll()) {
                each.close();
            }
        }
    }

    @Override
    public Answer ask(String request) {
        Node asked = node;
        long start = System.currentTimeMillis();
        if (asked == null) {
            return new Answer(settings.name(), Outcome.REFUSED, "the process is not running", start, start);
        }
        Connection idle = asked.idle().poll();
        try {
            Connection connection = idle == null ? Connection.to(asked.port()) : idle;
            String line = connection.ask(request);
            long end = System.currentTimeMillis();
            asked.idle().add(connection);
            return Answer.of(asked.name(), line, start, end);
        } catch (IOException e) {
            return new Answer(asked.name(), Outcome.UNKNOWN, e.toString(), start, System.currentTimeMillis());
        }
    }

    @Override
    public void close() {
        kill();
    }
}
