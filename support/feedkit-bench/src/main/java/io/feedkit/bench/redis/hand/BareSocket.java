package io.feedkit.bench.redis.hand;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedkit.bench.redis.ground.BenchRedis;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;

/**
 * A connection to a server without a client library: commands are sent as they were encoded, and answers are read line
 * by line.
 */
final class BareSocket implements AutoCloseable {

    static final int BUFFER = 1 << 16;

    private final Socket socket;
    private final OutputStream requests;
    private final DataInputStream replies;

    BareSocket(BenchRedis redis) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), redis.port());
            socket.setTcpNoDelay(true);
            requests = socket.getOutputStream();
            replies = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void send(ByteArrayOutputStream batch) throws IOException {
        batch.writeTo(requests);
    }

    String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = replies.read(); c != '\r'; c = replies.read()) {
            if (c < 0) {
                throw new EOFException("the server has closed the connection");
            }
            line.append((char) c);
        }
        replies.read();
        return line.toString();
    }

    /** Reads the given number of bytes, and the end of their line. */
    byte[] bytes(int count) throws IOException {
        return replies.readNBytes(count + 2);
    }

    /** Encodes the beginning of a command. More parts follow. */
    static void begin(ByteArrayOutputStream to, List<byte[]> parts, int more) {
        to.writeBytes(("*" + (parts.size() + more) + "\r\n").getBytes(US_ASCII));
        parts.forEach(part -> append(to, part));
    }

    static void append(ByteArrayOutputStream to, byte[] part) {
        to.writeBytes(("$" + part.length + "\r\n").getBytes(US_ASCII));
        to.writeBytes(part);
        to.write('\r');
        to.write('\n');
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
