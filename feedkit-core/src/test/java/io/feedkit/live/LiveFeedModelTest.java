package io.feedkit.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.ManualClock;
import io.feedkit.PageRequest;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.live.LiveEvent.PostAdded;
import io.feedkit.live.LiveEvent.PostDeleted;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryLiveBus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random publishes, deletes, follows and unfollows on two engines, while subscribers of both come, go, continue with
 * their cursors, and request more or fewer events. Each post that a reader must get arrives once.
 */
@DisplayName("Live feeds of two engines")
@Timeout(120)
class LiveFeedModelTest {

    private static final int STEPS = 400;
    private static final int SETTLED_EVERY = 25;
    private static final List<FanoutPolicy> POLICIES =
            List.of(FanoutPolicy.push(), FanoutPolicy.pull(), FanoutPolicy.hybrid(2), FanoutPolicy.hybrid(3));

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);

    /** A client, who continues with the cursor of its last event after each break. */
    private static final class Client {
        private final String reader;
        private final List<List<LiveEvent>> before = new ArrayList<>();
        private final Set<String> due = new HashSet<>();
        private Cursor cursor;
        private Received received;

        Client(String reader, Cursor start, FeedEngine engine) {
            this.reader = reader;
            cursor = start;
            received = Received.from(engine.live(reader, start));
        }

        void reconnect(FeedEngine engine, long requested) {
            received.cancel();
            List<LiveEvent> kept = received.events();
            before.add(kept);
            if (!kept.isEmpty()) {
                cursor = kept.get(kept.size() - 1).cursor();
            }
            received = Received.from(engine.live(reader, cursor), requested);
        }

        /** The events of each subscription. */
        List<List<LiveEvent>> subscriptions() {
            List<List<LiveEvent>> all = new ArrayList<>(before);
            all.add(received.events());
            return all;
        }

        List<String> posts() {
            return subscriptions().stream()
                    .flatMap(List::stream)
                    .filter(PostAdded.class::isInstance)
                    .map(event -> ((PostAdded) event).post().id())
                    .toList();
        }
    }

    private FeedEngine engine(String name, InMemoryLiveBus bus, boolean useBus) {
        return FeedEngine.builder(store)
                .name(name)
                .clock(clock)
                .live(live -> {
                    live.pollInterval(Duration.ofMillis(20)).bufferSize(20);
                    if (useBus) {
                        live.bus(bus);
                    }
                })
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "1, true",
        "2, true",
        "3, true",
        "4, true",
        "81, true",
        "81, true",
        "81, true",
        "81, true",
        "5, false",
        "6, false",
        "7, false",
        "8, false"
    })
    @DisplayName("bring each post that a reader must get, once")
    void model(long seed, boolean useBus) {
        Random random = new Random(seed);
        InMemoryLiveBus bus = InMemoryLiveBus.create();
        try (FeedEngine one = engine("one", bus, useBus);
                FeedEngine two = engine("two", bus, useBus)) {
            List<FeedEngine> engines = List.of(one, two);
            List<String> users =
                    IntStream.range(0, 5).mapToObj(i -> "user-" + i).toList();
            Map<String, Set<String>> follows = new HashMap<>();
            users.forEach(user -> {
                follows.put(user, new HashSet<>());
                one.read(user, PageRequest.first(20));
            });
            List<Client> clients = users.stream()
                    .map(user -> new Client(
                            user, one.read(user, PageRequest.first(20)).newer(), engines.get(random.nextInt(2))))
                    .toList();
            List<PostKey> published = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                // So that a cursor can list all posts of its lookback.
                clock.advance(Duration.ofSeconds(1));
                if (step % SETTLED_EVERY == 0) {
                    one.fanout().drain();
                    pause();
                }
                FeedEngine engine = engines.get(random.nextInt(2));
                String user = users.get(random.nextInt(users.size()));
                String other = users.get(random.nextInt(users.size()));
                int kind = random.nextInt(100);
                if (kind < 55) {
                    String id = "post-" + step;
                    engine.usePolicy(POLICIES.get(random.nextInt(POLICIES.size())));
                    clients.stream()
                            .filter(client -> followees(follows, client.reader).contains(user))
                            .forEach(client -> client.due.add(id));
                    engine.publish(user, id);
                    published.add(new PostKey(user, id));
                } else if (kind < 65 && !user.equals(other)) {
                    engine.follow(user, other);
                    followees(follows, user).add(other);
                } else if (kind < 70) {
                    engine.unfollow(user, other);
                    followees(follows, user).remove(other);
                    clients.stream()
                            .filter(client -> client.reader.equals(user))
                            .forEach(client -> published.stream()
                                    .filter(key -> key.author().equals(other))
                                    .forEach(key -> client.due.remove(key.id())));
                } else if (kind < 78 && !published.isEmpty()) {
                    PostKey key = published.get(random.nextInt(published.size()));
                    clients.forEach(client -> client.due.remove(key.id()));
                    engine.delete(key.author(), key.id());
                } else if (kind < 88) {
                    Client client = clients.get(random.nextInt(clients.size()));
                    client.reconnect(engine, random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(5));
                } else {
                    clients.get(random.nextInt(clients.size())).received.request(1 + random.nextInt(10));
                }
            }
            one.fanout().drain();
            clients.forEach(client -> client.received.request(100_000));
            for (Client client : clients) {
                await().atMost(Duration.ofSeconds(20))
                        .untilAsserted(() -> assertThat(missing(client))
                                .as("missing posts for %s, seed %d", client.reader, seed)
                                .isEmpty());
                assertThat(client.posts())
                        .as("posts for %s, seed %d, of %s", client.reader, seed, client.subscriptions())
                        .doesNotHaveDuplicates();
                assertNothingAfterDelete(client);
            }
        }
    }

    /** The clock runs much faster than the threads, but posts must arrive within the lookback. */
    private static void pause() {
        try {
            Thread.sleep(30);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Set<String> missing(Client client) {
        Set<String> missing = new HashSet<>(client.due);
        client.posts().forEach(missing::remove);
        return missing;
    }

    private static Set<String> followees(Map<String, Set<String>> follows, String user) {
        return follows.computeIfAbsent(user, same -> new HashSet<>());
    }

    private static void assertNothingAfterDelete(Client client) {
        for (List<LiveEvent> events : client.subscriptions()) {
            Set<PostKey> deleted = new HashSet<>();
            for (LiveEvent event : events) {
                if (event instanceof PostDeleted gone) {
                    deleted.add(gone.key());
                } else if (event instanceof PostAdded added) {
                    assertThat(deleted).doesNotContain(added.post().key());
                }
            }
        }
    }
}
