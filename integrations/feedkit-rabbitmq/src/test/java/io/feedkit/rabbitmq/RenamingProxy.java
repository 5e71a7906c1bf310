package io.feedkit.rabbitmq;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes everything on, with a text in what the broker says replaced by another one of the same length. */
final class RenamingProxy implements AutoCloseable {

    private final ServerSocket listener;
    private final int serverPort;
    private final String text;
    private final String replacement;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private RenamingProxy(ServerSocket listener, int serverPort, String text, String replacement) {
        this.listener = listener;
        this.serverPort = serverPort;
        this.text = text;
        this.replacement = replacement;
    }

    static RenamingProxy before(int serverPort, String text, String replacement) throws IOException {
        ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        RenamingProxy proxy = new RenamingProxy(listener, serverPort, text, replacement);
        start(proxy::accept);
        return proxy;
    }

    int port() {
        return listener.getLocalPort();
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // One side has ended.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            sockets.addAll(List.of(client, server));
            start(() -> client.getInputStream().transferTo(server.getOutputStream()));
            start(() -> rename(server.getInputStream(), client.getOutputStream()));
        }
    }

    private void rename(InputStream in, OutputStream out) throws IOException {
        byte[] piece = new byte[65_536];
        for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
            String said = new String(piece, 0, length, StandardCharsets.ISO_8859_1);
            out.write(said.replace(text, replacement).getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
