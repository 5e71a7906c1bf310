package io.feedkit.testservers;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A connection to a Redis server, for a few commands and their answers as text. */
final class RedisSocket implements AutoCloseable {

    private static final int ANSWER_MILLIS = 10_000;

    private final Socket socket;
    private final InputStream answers;

    RedisSocket(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(ANSWER_MILLIS);
        answers = new BufferedInputStream(socket.getInputStream());
    }

    /** The answer; the elements of an array are lines. */
    String ask(List<String> words) throws IOException {
        ByteArrayOutputStream command = new ByteArrayOutputStream();
        command.writeBytes(bytes("*" + words.size() + "\r\n"));
        for (String word : words) {
            command.writeBytes(bytes("$" + bytes(word).length + "\r\n" + word + "\r\n"));
        }
        socket.getOutputStream().write(command.toByteArray());
        return answer();
    }

    private String answer() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', ':' -> rest;
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> array(Integer.parseInt(rest));
            default -> throw new RefusedException(rest);
        };
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return "";
        }
        String text = new String(answers.readNBytes(length), StandardCharsets.ISO_8859_1);
        line();
        return text;
    }

    private String array(int length) throws IOException {
        StringBuilder elements = new StringBuilder();
        for (int i = 0; i < length; i++) {
            elements.append(i == 0 ? "" : "\n").append(answer());
        }
        return elements.toString();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = answers.read(); c != '\n'; c = answers.read()) {
            if (c < 0) {
                throw new EOFException("the server ended the connection");
            }
            line.append((char) c);
        }
        return line.substring(0, line.length() - 1);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** The server refused a command, with a reason. */
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }
}
