package io.feedkit.examples.guides;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.live.LiveBus;
import io.feedkit.live.LiveEvent;
import io.feedkit.live.LiveEvent.PostAdded;
import io.feedkit.live.LiveEvent.PostDeleted;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryLiveBus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guide to live feeds shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The guide to live feeds")
@Timeout(120)
class LiveGuideTest {

    private static HttpServer server(FeedEngine feed) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        // guide
        server.createContext(
                "/events",
                exchange -> { // of the JDK's HttpServer
                    String last = exchange.getRequestHeaders().getFirst("Last-Event-ID"); // null at first
                    Cursor cursor =
                            Cursor.parse(last == null ? exchange.getRequestURI().getQuery() : last);
                    exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
                    exchange.sendResponseHeaders(200, 0);
                    feed.live(user(exchange), cursor).subscribe(new SseSubscriber(exchange));
                });
        // end
        server.start();
        return server;
    }

    // guide
    static final class SseSubscriber implements Flow.Subscriber<LiveEvent> {

        private final HttpExchange exchange;
        private Flow.Subscription subscription;

        SseSubscriber(HttpExchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(LiveEvent event) {
            String post = event instanceof PostAdded added
                    ? added.post().id()
                    : event instanceof PostDeleted deleted ? deleted.key().id() : "";
            String text = "id: " + event.cursor() + "\nevent: "
                    + event.getClass().getSimpleName() + "\ndata: " + post + "\n\n";
            try {
                exchange.getResponseBody().write(text.getBytes(UTF_8));
                exchange.getResponseBody().flush();
            } catch (IOException e) {
                subscription.cancel(); // the client is gone
            }
        }

        @Override
        public void onError(Throwable failure) {
            exchange.close();
        }

        @Override
        public void onComplete() { // the engine was closed: the client connects to another
            exchange.close();
        }
    }
    // end

    private static String user(HttpExchange exchange) {
        return exchange.getRequestHeaders().getFirst("User");
    }

    @Test
    @DisplayName("delivers posts of another engine, continues after a break, and can be waited for")
    void live() throws IOException, InterruptedException {
        InMemoryFeedStore store = InMemoryFeedStore.create();
        LiveBus bus = InMemoryLiveBus.create();
        // guide
        FeedEngine feed = FeedEngine.builder(store).live(live -> live.bus(bus)).build();
        // end
        try (feed) {
            feed.follow("ann", "bob");
            Cursor cursor = feed.read("ann", PageRequest.first(20)).newer();
            reconnect(feed, store, bus, cursor.toString());
            // guide
            FeedPage<Post> news = feed.await("ann", cursor, Duration.ofSeconds(25)); // empty at the end of the time
            // end
            assertThat(news.items()).isNotEmpty();
        }
    }

    /** Reads a post from one engine, and the next post from another one, which is then closed. */
    private static void reconnect(FeedEngine feed, InMemoryFeedStore store, LiveBus bus, String start)
            throws IOException {
        FeedEngine other = FeedEngine.builder(store).live(live -> live.bus(bus)).build();
        HttpServer first = server(feed);
        HttpServer second = server(other);
        try {
            String lastEventId;
            try (EventStream stream = EventStream.open(first, start, "")) {
                other.publish("bob", "post-1");
                lastEventId = stream.awaitPost("post-1");
            }
            other.publish("bob", "post-2");
            try (EventStream stream = EventStream.open(second, start, lastEventId)) {
                stream.awaitPost("post-2");
                other.close();
                assertThat(stream.rest()).as("until the engine was closed").doesNotContain("data: post-1");
            }
        } finally {
            other.close();
            first.stop(0);
            second.stop(0);
        }
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("live.md", "LiveGuideTest");
    }
}
