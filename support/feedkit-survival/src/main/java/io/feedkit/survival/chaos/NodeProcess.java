package io.feedkit.survival.chaos;

import io.feedkit.StoreUnavailableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * A process with an {@link OpenEngine}, until it is killed or its input ends. It prints {@code listens} and a port of
 * the loopback address, and answers each line of each connection with a line.
 */
final class NodeProcess {

    private static final int RETRY_MILLIS = 200;

    private NodeProcess() {}

    /**
     * Serves.
     *
     * @param args {@link EngineSettings}
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        OpenEngine engine = open(EngineSettings.of(args));
        ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Thread acceptor = new Thread(() -> accept(server, engine), "chaos-accept");
        acceptor.setDaemon(true);
        acceptor.start();
        System.out.println("listens " + server.getLocalPort());
        while (System.in.read() >= 0) {
            // Runs until the input ends with the parent.
        }
        Runtime.getRuntime().halt(0);
    }

    /** Opens the engine. Repeats this while the database is starting after a kill. */
    private static OpenEngine open(EngineSettings settings) throws InterruptedException {
        while (true) {
            try {
                return OpenEngine.open(settings);
            } catch (StoreUnavailableException e) {
                System.out.println("waits: " + e);
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            }
        }
    }

    private static void accept(ServerSocket server, OpenEngine engine) {
        while (true) {
            try {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> serve(socket, engine), "chaos-serve");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                System.out.println("does not accept: " + e);
                return;
            }
        }
    }

    private static void serve(Socket socket, OpenEngine engine) {
        try (socket;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                PrintWriter out = new PrintWriter(
                        new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.US_ASCII), false)) {
            socket.setTcpNoDelay(true);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(engine.answer(line));
                out.flush();
            }
        } catch (IOException e) {
            System.out.println("connection lost: " + e);
        }
    }
}
