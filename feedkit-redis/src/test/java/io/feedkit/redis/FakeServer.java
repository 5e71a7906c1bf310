package io.feedkit.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * A server that listens and is not Redis, or not a recent one. It answers each command by its name in capitals. An
 * empty answer means none, and {@link #CLOSE} closes the connection.
 */
final class FakeServer implements AutoCloseable {

    static final String CLOSE = "close";

    private final ServerSocket listener;
    private final UnaryOperator<String> answers;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private FakeServer(ServerSocket listener, UnaryOperator<String> answers) {
        this.listener = listener;
        this.answers = answers;
    }

    static FakeServer answering(UnaryOperator<String> answers) throws IOException {
        FakeServer server = new FakeServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), answers);
        daemon(server::accept);
        return server;
    }

    /** A Redis whose INFO is this text. */
    static FakeServer redis(String info) throws IOException {
        return answering(command -> switch (command) {
            case "INFO" -> bulk(info);
            case "PING" -> "+PONG\r\n";
            default -> "-ERR unknown command `" + command + "`, with args beginning with: \r\n";
        });
    }

    static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    /** The commands so far. */
    List<String> asked() {
        return asked;
    }

    String uri() {
        return "redis://127.0.0.1:" + listener.getLocalPort();
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "fake-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                daemon(() -> serve(client));
            }
        } catch (IOException e) {
            // The test has ended.
        }
    }

    private void serve(Socket client) {
        try (client) {
            BufferedReader commands =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = client.getOutputStream();
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                int words = Integer.parseInt(line.substring(1));
                String command = "";
                for (int i = 0; i < words; i++) {
                    commands.readLine();
                    String word = commands.readLine();
                    command = i == 0 ? word : command;
                }
                asked.add(command);
                String answer = answers.apply(command);
                if (answer.equals(CLOSE)) {
                    return;
                }
                out.write(answer.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            // The client has gone.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
