package io.feedkit.examples.microblog.survival;

import io.feedkit.testservers.survival.Rounds;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Calls of the API, which are repeated on any server until one answers. Thread-safe. */
final class Calls {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final int RETRY_MILLIS = 200;

    private final List<Application> servers;
    private final Http http;
    private final Ledger ledger;

    Calls(List<Application> servers, Http http, Ledger ledger) {
        this.servers = servers;
        this.http = http;
        this.ledger = ledger;
    }

    static Application any(List<Application> servers, Random random) {
        return servers.get(random.nextInt(servers.size()));
    }

    Answer get(String token, String path, Random random) {
        return untilAnswered(new Call("GET", path, token, Map.of(), Map.of()), random);
    }

    Answer post(String token, String path, Map<String, ?> json, Random random) {
        return untilAnswered(new Call("POST", path, token, json, Map.of()), random);
    }

    /** @param json the body, empty for none */
    record Call(String method, String path, String token, Map<String, ?> json, Map<String, String> headers) {

        private HttpRequest.Builder request(Application to) {
            HttpRequest.Builder request = HttpRequest.newBuilder(to.uri(path))
                    .method(
                            method,
                            json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(Answer.json(json)));
            if (!json.isEmpty()) {
                request.header("Content-Type", "application/json");
            }
            if (!token.isEmpty()) {
                request.header("Authorization", "Bearer " + token);
            }
            headers.forEach(request::header);
            return request;
        }
    }

    Answer untilAnswered(Call call, Random random) {
        long began = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            Optional<Answer> answer = attempt(call, any(servers, random), attempt);
            if (answer.isPresent()) {
                return answer.get();
            }
            if (System.nanoTime() - began > LIMIT.toNanos()) {
                throw new IllegalStateException(call + " was not answered within " + LIMIT);
            }
            Rounds.moment(random, RETRY_MILLIS);
        }
    }

    private Optional<Answer> attempt(Call call, Application to, int attempt) {
        long sentAt = System.nanoTime();
        try {
            HttpResponse<String> response = http.send(call.request(to), BodyHandlers.ofString());
            Answer answer = new Answer(
                    response.statusCode(),
                    response.body(),
                    response.headers().firstValue("Link"),
                    response.headers().firstValue("X-FeedKit"),
                    attempt,
                    sentAt);
            check(call, answer);
            return answer.status() >= 500 ? Optional.empty() : Optional.of(answer);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** An error is JSON, and a failed store is not an error of the client or of the program. */
    private void check(Call call, Answer answer) {
        boolean known = answer.isOk() || answer.status() == Http.UNAVAILABLE || answer.status() == 404;
        if (!known || (!answer.isOk() && !answer.body().startsWith("{\"error\":"))) {
            ledger.violated(
                    call.method() + " " + call.path() + " was answered " + answer.status() + ": " + answer.body());
        }
    }
}
