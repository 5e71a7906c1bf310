package io.feedkit.survival.live;

import io.feedkit.Cursor;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.live.LiveEvent;
import io.feedkit.testservers.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** An engine in a process of its own, which can be killed and restarted. Subscribers get all events. */
final class ProcessEngine implements LiveEngine {

    private static final List<String> JVM_OPTIONS = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-Xmx256m",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final int ANSWER_MILLIS = 30_000;

    private final EngineSettings settings;
    private volatile @Nullable Running running;

    ProcessEngine(EngineSettings settings) {
        this.settings = settings;
    }

    /** A process, and the idle connections to it. */
    private record Running(ChildProcess process, int port, Queue<Connection> idle) {}

    private record Connection(Socket socket, BufferedReader in) {

        static Connection to(int port) throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            return new Connection(
                    socket,
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)));
        }

        void send(String line) throws IOException {
            socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        }

        String receive() throws IOException {
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
                throw new Unanswered("cannot close a connection: " + e);
            }
        }
    }

    /** Starts a process, and returns when it accepts requests. */
    void start() {
        ChildProcess process = ChildProcess.start(EngineProcess.class, settings.arguments(), JVM_OPTIONS);
        String line = process.awaitLine("listens ", START_LIMIT);
        int port = Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
        running = new Running(process, port, new ConcurrentLinkedQueue<>());
    }

    /** Kills the process, if there is one. */
    void kill() {
        Running killed = running;
        running = null;
        if (killed != null) {
            killed.process().close();
            killed.idle().forEach(Connection::close);
        }
    }

    boolean isRunning() {
        return running != null;
    }

    private Running running() {
        Running now = running;
        if (now == null) {
            throw new Unanswered("the process is not running");
        }
        return now;
    }

    private String ask(String request) {
        Running asked = running();
        Connection idle = asked.idle().poll();
        try {
            Connection connection = idle == null ? Connection.to(asked.port()) : idle;
            connection.socket().setSoTimeout(ANSWER_MILLIS);
            connection.send(request);
            String line = connection.receive();
            asked.idle().add(connection);
            if (!line.startsWith(EngineProcess.OK)) {
                throw new Unanswered(line);
            }
            return line.substring(EngineProcess.OK.length());
        } catch (IOException e) {
            throw new Unanswered(e.toString());
        }
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public Post publish(String author, String id) {
        return EngineProcess.post(ask("publish " + author + " " + id).split(" ", -1), 0);
    }

    @Override
    public void delete(PostKey post) {
        ask("delete " + post.author() + " " + post.id());
    }

    @Override
    public void change(String reader, String author, boolean following) {
        ask((following ? "follow " : "unfollow ") + reader + " " + author);
    }

    @Override
    public Cursor newest(String reader) {
        return Cursor.parse(ask("newest " + reader));
    }

    @Override
    public void subscribe(String reader, Optional<Cursor> since, Flow.Subscriber<LiveEvent> subscriber) {
        try {
            Connection connection = Connection.to(running().port());
            connection.send("live " + reader + since.map(cursor -> " " + cursor).orElse(""));
            String answer = connection.receive();
            if (!answer.startsWith(EngineProcess.OK)) {
                throw new IOException(answer);
            }
            subscriber.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long count) {
                    // The process requests everything.
                }

                @Override
                public void cancel() {
                    connection.close();
                }
            });
            Thread thread = new Thread(() -> receive(connection, subscriber), "live-client-" + reader);
            thread.setDaemon(true);
            thread.start();
        } catch (IOException e) {
            throw new Unanswered(e.toString());
        }
    }

    private static void receive(Connection connection, Flow.Subscriber<LiveEvent> subscriber) {
        try {
            while (true) {
                String line = connection.receive();
                if (EngineProcess.isEnd(line)) {
                    subscriber.onError(new IllegalStateException(line));
                    return;
                }
                subscriber.onNext(EngineProcess.event(line));
            }
        } catch (IOException e) {
            subscriber.onError(new Unanswered(e.toString()));
        } catch (IllegalArgumentException e) {
            // The line of a killed process may be cut.
            connection.close();
            subscriber.onError(new Unanswered(e.toString()));
        }
    }

    @Override
    public void close() {
        kill();
    }
}
