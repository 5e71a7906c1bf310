package io.feedkit.examples.guides;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLConnection;
import java.util.List;

/** A client of server-sent events, as a browser is. */
final class EventStream implements AutoCloseable {

    private final BufferedReader lines;

    private EventStream(BufferedReader lines) {
        this.lines = lines;
    }

    /**
     * Connects to a server.
     *
     * @param query the query of the request
     * @param lastEventId the id of the last event before; empty at first
     */
    static EventStream open(HttpServer server, String query, String lastEventId) throws IOException {
        InetSocketAddress address = server.getAddress();
        String host = address.getAddress().getHostAddress() + ":" + address.getPort();
        URLConnection connection =
                URI.create("http://" + host + "/events?" + query).toURL().openConnection();
        connection.setRequestProperty("User", "ann");
        if (!lastEventId.isEmpty()) {
            connection.setRequestProperty("Last-Event-ID", lastEventId);
        }
        assertThat(connection.getContentType()).isEqualTo("text/event-stream");
        return new EventStream(new BufferedReader(new InputStreamReader(connection.getInputStream(), UTF_8)));
    }

    /** Reads to the event of a post, which is the first event of any post, and returns the event's id. */
    String awaitPost(String post) throws IOException {
        String id = "";
        String line = lines.readLine();
        while (line != null && !line.equals("data: " + post)) {
            assertThat(line).doesNotStartWith("data: post-");
            id = line.startsWith("id: ") ? line.substring("id: ".length()) : id;
            line = lines.readLine();
        }
        assertThat(line).isNotNull();
        return id;
    }

    /** The lines up to the end of the stream. */
    List<String> rest() {
        return lines.lines().toList();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
