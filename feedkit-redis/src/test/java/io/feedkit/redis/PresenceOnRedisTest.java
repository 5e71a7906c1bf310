package io.feedkit.redis;

import static io.feedkit.redis.TestRedis.commands;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.presence.RedisPresenceStore;
import io.feedkit.spi.PresenceStore;
import io.feedkit.spi.PresenceStore.OnlinePage;
import io.feedkit.spi.PresenceStore.Seen;
import io.feedkit.spi.PresenceStore.Sighting;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Presence in Redis")
class PresenceOnRedisTest {

    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final long WEEK = Duration.ofDays(7).toMillis();

    private final TestRedis redis = new TestRedis();
    private final PresenceStore presence = new RedisPresenceStore(redis.link(), redis.keys(), redis.timer());

    @AfterEach
    void close() {
        redis.close();
    }

    private static List<Sighting> sightings(Stream<String> readers, long seenAgo, long online) {
        return readers.map(reader -> new Sighting(reader, seenAgo, online)).toList();
    }

    /** Readers of one bucket. */
    private static Stream<String> neighbours(String name) {
        return IntStream.range(0, Integer.MAX_VALUE).mapToObj(i -> name + i).filter(reader -> Keys.bucket(reader) == 7);
    }

    @Test
    @DisplayName("is spread over two keys in each bucket, which expire with their last reader")
    void keys() {
        presence.report(sightings(IntStream.range(0, 5000).mapToObj(i -> "r" + i), 0, HOUR), WEEK);
        assertThat(redis.allKeys()).hasSize(2 * Keys.BUCKETS);
        for (int bucket = 0; bucket < Keys.BUCKETS; bucket++) {
            String online = TestRedis.text(redis.keys().ofBucket("online", bucket));
            String seen = TestRedis.text(redis.keys().ofBucket("lastseen", bucket));
            assertThat(commands().zcard(online)).isBetween(5L, 50L);
            assertThat(commands().zcard(seen)).isEqualTo(commands().zcard(online));
            assertThat(commands().pttl(online)).isBetween(HOUR - 60_000, HOUR);
            assertThat(commands().pttl(seen)).isBetween(WEEK - 60_000, WEEK);
        }
        presence.report(sightings(Stream.of("r1"), 0, 2 * WEEK), 1);
        String seen = TestRedis.text(redis.keys().ofBucket("lastseen", Keys.bucket("r1")));
        assertThat(commands().pttl(seen)).as("as long as the reader is online").isGreaterThan(WEEK);
    }

    @Test
    @DisplayName("removes readers whose time is over, although many others are online who were seen earlier")
    void cleanup() {
        presence.report(sightings(neighbours("idle-").limit(300), 2 * WEEK, 8 * WEEK), WEEK);
        presence.report(sightings(neighbours("gone-").limit(300), 0, HOUR), WEEK);
        redis.clock().advance(Duration.ofDays(8));
        for (int i = 0; i < 20; i++) {
            presence.report(sightings(neighbours("new-").limit(60), 0, HOUR), WEEK);
        }
        assertThat(commands().zcard(TestRedis.text(redis.keys().ofBucket("lastseen", 7))))
                .isEqualTo(360);
        assertThat(commands().zcard(TestRedis.text(redis.keys().ofBucket("online", 7))))
                .isEqualTo(360);
        assertThat(presence.status(neighbours("gone-").limit(300).toList())).containsOnly(PresenceStore.Status.UNKNOWN);
        assertThat(presence.countOnline()).isEqualTo(360);
    }

    @Test
    @DisplayName("is listed in order, although one bucket has many readers")
    void fullBucket() {
        List<String> near = neighbours("near-").limit(300).toList();
        List<Sighting> sightings = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            sightings.add(new Sighting(near.get(i), 20L * i, HOUR));
            sightings.add(new Sighting("far-" + i, 20L * i + 10, HOUR));
        }
        presence.report(sightings, WEEK);
        List<String> listed = new ArrayList<>();
        Optional<Seen> next = Optional.of(Seen.TOP);
        while (next.isPresent()) {
            OnlinePage page = presence.online(next.get(), 50);
            page.readers().forEach(seen -> listed.add(seen.reader()));
            next = page.next();
        }
        assertThat(listed)
                .containsExactlyElementsOf(
                        sightings.stream().map(Sighting::reader).toList());
    }

    @Test
    @DisplayName("is listed in one call, although a bucket has hundreds of readers who were seen later and are offline")
    void fewOnline() {
        presence.report(sightings(neighbours("idle-").limit(300), 0, 0), WEEK);
        presence.report(sightings(neighbours("online-").limit(1), HOUR, HOUR), WEEK);
        assertThat(presence.online(Seen.TOP, 10).readers()).hasSize(1);
    }

    @Test
    @DisplayName("that is foreign is refused, and left alone")
    void foreign() {
        String key = TestRedis.text(redis.keys().ofBucket("online", Keys.bucket("ann")));
        commands().set(key, "mine");
        assertThatThrownBy(() -> presence.report(sightings(Stream.of("ann"), 0, HOUR), WEEK))
                .isInstanceOf(FeedKitException.class);
        assertThatThrownBy(() -> presence.status(List.of("ann"))).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(presence::countOnline).isInstanceOf(StoreUnavailableException.class);
        assertThat(commands().get(key)).isEqualTo("mine");
    }

    @Test
    @DisplayName("is shared by engines on both kinds of store, by the server's clock")
    void engines() {
        RedisServers servers = RedisServers.at(RedisServer.shared().uri());
        String prefix = TestInboxes.newPrefix();
        try (RedisFeedStore store =
                        RedisFeedStore.builder(servers).prefix(prefix).build();
                RedisInboxes inboxes =
                        RedisInboxes.builder(servers).prefix(prefix).build();
                FeedEngine there = FeedEngine.builder(InMemoryFeedStore.create())
                        .workers(0)
                        .presence(inboxes.presence())
                        .build()) {
            try (FeedEngine here = FeedEngine.builder(store)
                    .workers(0)
                    .presence(store.presence())
                    .build()) {
                here.presence().connect("ann");
                here.presence().announce();
                assertThat(there.presence().isOnline("ann")).isTrue();
                assertThat(there.presence().count()).isEqualTo(1);
                assertThat(there.presence().list(10).readers()).hasSize(1);
            }
            assertThat(there.presence().isOnline("ann")).isTrue();
            there.forget("ann");
            assertThat(there.presence().isOnline("ann")).isFalse();
        }
    }
}
