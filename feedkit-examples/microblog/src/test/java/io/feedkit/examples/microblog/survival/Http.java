package io.feedkit.examples.microblog.survival;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Sends requests, and measures how long each takes until its answer or error. Thread-safe. */
final class Http {

    /** Within this time each request must be answered or fail. */
    static final Duration BOUND = Duration.ofSeconds(10);

    static final int UNAVAILABLE = 503;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(BOUND)
            .build();
    private final Ledger ledger;
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger unavailable = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();
    private final AtomicLong longest = new AtomicLong();

    Http(Ledger ledger) {
        this.ledger = ledger;
    }

    /** @throws IOException if the server cannot be reached, or ended before it answered */
    <T> HttpResponse<T> send(HttpRequest.Builder builder, BodyHandler<T> body) throws IOException {
        HttpRequest request = builder.timeout(BOUND).build();
        long began = System.nanoTime();
        sent.incrementAndGet();
        try {
            HttpResponse<T> response = client.send(request, body);
            if (response.statusCode() == UNAVAILABLE) {
                unavailable.incrementAndGet();
            }
            return response;
        } catch (HttpTimeoutException e) {
            ledger.violated(request.method() + " " + request.uri() + " was not answered within " + BOUND);
            throw e;
        } catch (IOException e) {
            broken.incrementAndGet();
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            longest.accumulateAndGet(System.nanoTime() - began, Math::max);
        }
    }

    /** The longest time of a request, in milliseconds. The next call begins anew. */
    long takeLongestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(longest.getAndSet(0));
    }

    @Override
    public String toString() {
        return sent + " requests, " + unavailable + " answered 503, " + broken + " without an answer";
    }
}
