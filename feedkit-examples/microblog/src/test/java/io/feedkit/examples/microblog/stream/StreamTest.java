package io.feedkit.examples.microblog.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.examples.microblog.StatusCalls;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("A stream")
class StreamTest extends StatusCalls {

    private static final String USER = "/api/v1/streaming/user";

    @Autowired
    private OpenStreams streams;

    @Autowired
    private FeedEngine feed;

    @Autowired
    private JsonMapper mapper;

    private final String annName = fresh("ann");
    private String ann = "";
    private String ben = "";
    private final List<AutoCloseable> opened = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open() throws Exception {
        ann = signUp(annName);
        ben = signUp(fresh("ben"));
        follow(ann, id(ben));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    /** The lines of an answer, as they come. */
    private List<String> lines(String query) throws Exception {
        int before = subscriptions();
        HttpResponse<Stream<String>> answer = client.send(
                java.net.http.HttpRequest.newBuilder(url(USER + "?access_token=" + ann + query))
                        .build(),
                HttpResponse.BodyHandlers.ofLines());
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
        List<String> lines = new CopyOnWriteArrayList<>();
        opened.add(answer.body());
        var reading = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
        CompletableFuture<Void> unused =
                CompletableFuture.runAsync(() -> answer.body().forEach(lines::add), reading);
        await().untilAsserted(() -> {
            assertThat(lines).isNotEmpty();
            assertThat(subscriptions()).isEqualTo(before + 2);
        });
        return lines;
    }

    /** How often this test's account is subscribed, to its home feed and to its notifications. */
    private int subscriptions() throws Exception {
        String account = id(ann);
        return Stream.of(account, "notify:" + account)
                .mapToInt(reader -> feed.inspect(reader).connection().liveSubscriptions())
                .sum();
    }

    private static String data(List<String> lines, String event) {
        int at = lines.indexOf("event: " + event);
        assertThat(at).isNotNegative();
        return lines.get(at + 1).substring("data: ".length());
    }

    @Test
    @DisplayName("of server-sent events brings statuses, notifications and bare ids of deleted statuses")
    void events() throws Exception {
        List<String> lines = lines("");
        String status = id(post(ben, "Hello @" + annName));
        await().untilAsserted(() -> assertThat(lines).contains("event: update", "event: notification"));
        send("DELETE", "/api/v1/statuses/" + status, ben, "");
        await().untilAsserted(() -> assertThat(lines).contains("data: " + status));
        streams.beat();
        await().untilAsserted(() -> assertThat(lines).endsWith("", ":thump"));

        assertThat(id(mapper.readTree(data(lines, "update")))).isEqualTo(status);
        JsonNode notification = mapper.readTree(data(lines, "notification"));
        assertThat(notification.get("type").stringValue()).isEqualTo("mention");
        assertThat(data(lines, "delete")).isEqualTo(status);
        assertThat(lines).noneMatch(line -> line.startsWith("id:")).first().isEqualTo(":)");
    }

    @Test
    @DisplayName("continues for the own page after the last event")
    void continues() throws Exception {
        List<String> lines = lines("&feedkit=1");
        post(ben, "One");
        await().untilAsserted(() -> assertThat(lines).contains("event: update"));
        String cursor = lines.get(lines.indexOf("event: update") - 1).substring("id: ".length());
        String missed = id(post(ben, "Two"));

        List<String> again = lines("&feedkit=1&since=" + cursor);
        await().untilAsserted(() -> assertThat(again).contains("event: update"));
        assertThat(id(mapper.readTree(data(again, "update")))).isEqualTo(missed);

        send("POST", "/api/v1/accounts/" + id(ben) + "/unfollow", ann, "");
        await().untilAsserted(() -> assertThat(again).contains("event: feedkit.feed_changed"));
    }

    @Test
    @DisplayName("leaves out a boost of what the feed shows, and shows own posts")
    void leavesRepeatsOut() throws Exception {
        String cat = signUp(fresh("cat"));
        follow(ann, id(cat));
        String original = id(post(ben, "Worth a boost"));
        await().untilAsserted(
                        () -> assertThat(ids("/api/v1/timelines/home", ann)).contains(original));
        List<String> lines = lines("");
        act(cat, original, "reblog");
        String own = id(post(ann, "My own"));

        await().untilAsserted(() -> assertThat(lines).contains("event: update"));
        assertThat(id(mapper.readTree(data(lines, "update")))).isEqualTo(own);
    }

    @Test
    @DisplayName("needs a token and a good cursor, and says that it is healthy")
    void refuses() throws Exception {
        assertThat(get(USER, "").statusCode()).isEqualTo(401);
        assertThat(get(USER + "?access_token=nonsense", "").statusCode()).isEqualTo(401);
        assertThat(get(USER + "?since=nonsense", ann).statusCode()).isEqualTo(400);
        assertThat(get("/api/v1/streaming", ann).statusCode()).isIn(400, 426);
        assertThat(get("/api/v1/streaming/health", "").body()).isEqualTo("OK");
    }

    /** A client's end of a WebSocket. */
    private final class Client implements WebSocket.Listener {

        private final List<JsonNode> messages = new CopyOnWriteArrayList<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                messages.add(mapper.readTree(text.toString()));
                text.setLength(0);
            }
            socket.request(1);
            return CompletableFuture.completedFuture(null);
        }
    }

    private WebSocket socket(String query, String subprotocol, Client to) throws Exception {
        WebSocket.Builder builder = client.newWebSocketBuilder();
        if (!subprotocol.isEmpty()) {
            builder.subprotocols(subprotocol);
        }
        URI address = URI.create("ws://127.0.0.1:" + port + "/api/v1/streaming" + query);
        try {
            WebSocket socket = builder.buildAsync(address, to).get();
            opened.add(socket::abort);
            return socket;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private void awaitSubscriptions(int count) {
        await().untilAsserted(() -> assertThat(subscriptions()).isEqualTo(count));
    }

    @Test
    @DisplayName("over a WebSocket has payloads that are texts")
    void socket() throws Exception {
        Client events = new Client();
        socket("?stream=user&access_token=" + ann, "", events);
        awaitSubscriptions(2);
        String status = id(post(ben, "Hello"));
        await().untilAsserted(() -> assertThat(events.messages).hasSize(1));
        send("DELETE", "/api/v1/statuses/" + status, ben, "");
        await().untilAsserted(() -> assertThat(events.messages).hasSize(2));

        JsonNode update = events.messages.get(0);
        assertThat(update.get("stream").get(0).stringValue()).isEqualTo("user");
        assertThat(update.get("event").stringValue()).isEqualTo("update");
        assertThat(id(mapper.readTree(update.get("payload").stringValue()))).isEqualTo(status);
        JsonNode delete = events.messages.get(1);
        assertThat(delete.get("event").stringValue()).isEqualTo("delete");
        assertThat(delete.get("payload").stringValue()).isEqualTo(status);
    }

    @Test
    @DisplayName("over a WebSocket is subscribed and left by messages, with the token as subprotocol")
    void subscribes() throws Exception {
        Client events = new Client();
        WebSocket socket = socket("", ann, events);
        assertThat(socket.getSubprotocol()).isEqualTo(ann);
        socket.sendText("{\"type\": \"subscribe\", \"stream\": \"nonsense\"}", true)
                .get();
        await().untilAsserted(() -> assertThat(events.messages).hasSize(1));
        assertThat(events.messages.get(0).get("error").stringValue()).isEqualTo("Unknown stream type");

        socket.sendText("{\"type\": \"subscribe\", \"stream\": \"user\"}", true).get();
        awaitSubscriptions(2);
        post(ben, "Hello");
        await().untilAsserted(() -> assertThat(events.messages).hasSize(2));

        socket.sendText("{\"type\": \"unsubscribe\", \"stream\": \"user\"}", true)
                .get();
        awaitSubscriptions(0);
    }
}
