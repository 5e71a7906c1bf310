package io.feedkit.bench.microblog;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** What members do over HTTP. Thread-safe. */
final class MemberClient {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String DATA = "data:";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final MicroblogServer server;
    private final Members members;

    MemberClient(MicroblogServer server, Members members) {
        this.server = server;
        this.members = members;
    }

    private HttpRequest.Builder request(int member, String path) {
        return HttpRequest.newBuilder(server.uri(path)).header("Authorization", "Bearer " + members.token(member));
    }

    /** Reads a page, and returns its length. */
    int get(int member, String path) {
        return send(request(member, path).timeout(PATIENCE).build()).length();
    }

    void post(int member, String text) {
        String body = "{\"status\":\"" + text + "\"}";
        String unused = send(request(member, "/api/v1/statuses")
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    private String send(HttpRequest request) {
        try {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IllegalStateException(
                        request.uri() + " answered " + response.statusCode() + ": " + response.body());
            }
            return response.body();
        } catch (IOException e) {
            throw new IllegalStateException(request.uri() + " failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Opens a stream, whose lines with data go to a consumer, on threads of the client. */
    CompletableFuture<HttpResponse<Void>> stream(int member, Consumer<String> data) {
        return client.sendAsync(
                request(member, "/api/v1/streaming/user").build(),
                info -> HttpResponse.BodySubscribers.fromLineSubscriber(new LineConsumer(line -> {
                    if (line.startsWith(DATA)) {
                        data.accept(line.substring(DATA.length()));
                    }
                })));
    }
}
