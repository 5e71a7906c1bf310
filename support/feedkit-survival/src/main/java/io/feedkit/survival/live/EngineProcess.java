package io.feedkit.survival.live;

import io.feedkit.Cursor;
import io.feedkit.FeedKitException;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.live.LiveEvent;
import io.feedkit.live.LiveEvent.CatchUp;
import io.feedkit.live.LiveEvent.FeedChanged;
import io.feedkit.live.LiveEvent.PostAdded;
import io.feedkit.live.LiveEvent.PostDeleted;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Flow;

/**
 * A process with an engine, until it is killed or its input ends. It prints {@code listens} and a port of the loopback
 * address, and answers each line of each connection with a line. The answer begins with {@code ok} if the call was
 * done.
 *
 * <table>
 * <caption>Requests</caption>
 * <tr><th>request</th><th>answer</th></tr>
 * <tr><td>{@code publish AUTHOR ID}</td><td>the post as it was stored: author, id, milliseconds</td></tr>
 * <tr><td>{@code delete AUTHOR ID}, {@code follow READER AUTHOR}, {@code unfollow READER AUTHOR}</td><td></td></tr>
 * <tr><td>{@code newest READER}</td><td>the cursor of the newest page</td></tr>
 * <tr><td>{@code live READER [CURSOR]}</td><td>a line for each event from now on</td></tr>
 * </table>
 */
final class EngineProcess {

    static final String OK = "ok ";

    private static final String FAILED = "failed ";
    private static final String COMPLETED = "completed";

    private EngineProcess() {}

    /**
     * Serves.
     *
     * @param args {@link EngineSettings}
     */
    public static void main(String[] args) throws IOException {
        LocalEngine engine = LocalEngine.open(EngineSettings.of(args));
        ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Thread acceptor = new Thread(() -> accept(server, engine), "live-accept");
        acceptor.setDaemon(true);
        acceptor.start();
        System.out.println("listens " + server.getLocalPort());
        while (System.in.read() >= 0) {
            // Runs until the input ends with the parent.
        }
        Runtime.getRuntime().halt(0);
    }

    private static void accept(ServerSocket server, LocalEngine engine) {
        while (true) {
            try {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> serve(socket, engine), "live-serve");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                System.out.println("does not accept: " + e);
                return;
            }
        }
    }

    private static void serve(Socket socket, LocalEngine engine) {
        try (socket;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                PrintWriter out = new PrintWriter(
                        new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.US_ASCII), false)) {
            socket.setTcpNoDelay(true);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", -1);
                if (words[0].equals("live")) {
                    stream(words, engine, in, out);
                    return;
                }
                out.println(answer(words, engine));
                out.flush();
            }
        } catch (IOException e) {
            System.out.println("connection lost: " + e);
        }
    }

    private static String answer(String[] words, LocalEngine engine) {
        try {
            return switch (words[0]) {
                case "publish" -> OK + text(engine.publish(words[1], words[2]));
                case "delete" -> {
                    engine.delete(new PostKey(words[1], words[2]));
                    yield OK;
                }
                case "follow", "unfollow" -> {
                    engine.change(words[1], words[2], words[0].equals("follow"));
                    yield OK;
                }
                case "newest" -> OK + engine.newest(words[1]);
                default -> throw new IllegalArgumentException("no such request: " + words[0]);
            };
        } catch (FeedKitException e) {
            return FAILED + e.toString().replaceAll("\\s+", " ");
        }
    }

    /** Sends events until the client closes the connection. */
    private static void stream(String[] words, LocalEngine engine, BufferedReader in, PrintWriter out)
            throws IOException {
        Flow.Subscription[] given = new Flow.Subscription[1];
        engine.subscribe(
                words[1],
                words.length > 2 ? Optional.of(Cursor.parse(words[2])) : Optional.empty(),
                new Flow.Subscriber<>() {
                    @Override
                    public void onSubscribe(Flow.Subscription subscription) {
                        given[0] = subscription;
                        out.println(OK);
                        out.flush();
                        subscription.request(Long.MAX_VALUE);
                    }

                    @Override
                    public void onNext(LiveEvent event) {
                        out.println(text(event));
                        out.flush();
                    }

                    @Override
                    public void onError(Throwable failure) {
                        out.println(FAILED + failure.toString().replaceAll("\\s+", " "));
                        out.flush();
                    }

                    @Override
                    public void onComplete() {
                        out.println(COMPLETED);
                        out.flush();
                    }
                });
        try {
            while (in.read() >= 0) {
                // The client sends nothing.
            }
        } finally {
            given[0].cancel();
        }
    }

    private static String text(Post post) {
        return post.author() + " " + post.id() + " " + post.publishedAt().toEpochMilli();
    }

    private static String text(LiveEvent event) {
        String text;
        if (event instanceof PostAdded added) {
            text = "post " + text(added.post());
        } else if (event instanceof PostDeleted gone) {
            text = "deleted " + gone.key().author() + " " + gone.key().id();
        } else {
            text = event instanceof FeedChanged ? "changed" : "catchup";
        }
        return text + " " + event.cursor() + " .";
    }

    /** Reads a post from three words. */
    static Post post(String[] words, int from) {
        return Post.of(words[from], words[from + 1], Long.parseLong(words[from + 2]));
    }

    /** Whether a line of a stream reports that the subscription ended. */
    static boolean isEnd(String line) {
        return line.startsWith(FAILED) || line.equals(COMPLETED);
    }

    /** Reads a line of a stream. */
    static LiveEvent event(String line) {
        String[] words = line.split(" ", -1);
        int last = words.length - 1;
        if (last < 2 || !words[last].equals(".")) {
            throw new IllegalArgumentException("no event: " + line);
        }
        Cursor cursor = Cursor.parse(words[last - 1]);
        return switch (words[0]) {
            case "post" -> new PostAdded(post(words, 1), cursor);
            case "deleted" -> new PostDeleted(new PostKey(words[1], words[2]), cursor);
            case "changed" -> new FeedChanged(cursor);
            case "catchup" -> new CatchUp(cursor);
            default -> throw new IllegalArgumentException("no event: " + line);
        };
    }
}
