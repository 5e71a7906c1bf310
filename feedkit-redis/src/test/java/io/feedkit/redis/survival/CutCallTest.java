package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisServers;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The master that dies is stopped first. So it receives its part of the call, and never executes it. */
@Tag("survival")
@DisplayName("A call of which one master carries out its part, while another dies with the rest")
class CutCallTest {

    private static final int MASTERS = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final RedisCluster cluster = RedisCluster.start(RedisProgram.embedded());
    private final RedisServer victim = cluster.owner(truthSlot("author-0"));
    private final long now = System.currentTimeMillis();

    @Test
    @Timeout(300)
    @DisplayName(
            "leaves its outcome unknown; repeated or refreshed, it is done, and no deleted post is ever shown again")
    void cut() throws Exception {
        Collection<String> dying = some("author-", name -> isVictims(truthSlot(name)));
        Collection<String> living = some("author-", name -> !isVictims(truthSlot(name)));
        String reader = some("reader-", name -> !isVictims(userSlot(name))).get(0);
        String followedInVain = some("followed-", name -> isVictims(userSlot(name)) && !isVictims(truthSlot(name)))
                .get(0);
        List<String> authors = Stream.concat(dying.stream(), living.stream()).toList();
        List<Post> before = posts(authors, "before");
        List<Post> during = posts(authors, "during");
        List<Post> later = posts(List.of(followedInVain), "later");
        try (RedisFeedStore store = RedisFeedStore.builder(RedisServers.at(cluster.uri()))
                        .timeout(TIMEOUT)
                        .build();
                FeedEngine feed = engine(store);
                FeedEngine other = engine(store)) {
            feed.followAll(reader, authors);
            feed.publishAll(before);
            feed.publish(Post.of(followedInVain, "old", now));
            feed.fanout().drain();
            assertShows(feed, reader, before);
            awaitInStep();

            stopVictim();
            List<CompletableFuture<Void>> calls = List.of(
                    unknown(() -> feed.follow(reader, followedInVain)),
                    unknown(() -> feed.publishAll(during)),
                    unknown(() -> feed.deleteAll(keys(before))));
            TimeUnit.MILLISECONDS.sleep(TIMEOUT.toMillis() / 2);
            victim.kill();
            for (CompletableFuture<Void> call : calls) {
                call.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
            await().atMost(LIMIT)
                    .ignoreExceptions()
                    .until(() -> !feed.publishAll(during).isEmpty());
            assertThat(feed.publishAll(during)).extracting(Published::status).containsOnly(Published.Status.SAME);
            assertThat(feed.deleteAll(keys(before))).hasSameSizeAs(before);
            feed.refresh(reader);
            assertThat(feed.followers(followedInVain, 10).ids()).containsExactly(reader);

            other.publishAll(later);
            awaitDone(feed);
            List<Post> all = Stream.of(during, later, posts(List.of(followedInVain), "old"))
                    .flatMap(List::stream)
                    .toList();
            for (FeedEngine each : List.of(feed, other)) {
                assertShows(each, reader, all);
            }
            assertThat(other.deleteAll(keys(later))).containsOnly(true);
            awaitDone(other);
            List<Post> rest = all.stream().filter(post -> !later.contains(post)).toList();
            for (FeedEngine each : List.of(feed, other)) {
                assertShows(each, reader, rest);
                each.refresh(reader);
                assertShows(each, reader, rest);
            }
        } finally {
            cluster.close();
        }
    }

    /** A stopped process can be killed, but not asked to end. */
    private void stopVictim() throws IOException, InterruptedException {
        String pid = victim.ask("INFO", "server")
                .lines()
                .filter(line -> line.startsWith("process_id:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow();
        assertThat(new ProcessBuilder("kill", "-STOP", pid).start().waitFor(10, TimeUnit.SECONDS))
                .isTrue();
    }

    private FeedEngine engine(RedisFeedStore store) {
        return FeedEngine.builder(store)
                .workers(0)
                .reading(reading -> reading.staleness(Duration.ZERO))
                .fanout(fanout -> fanout.retryDelay(Duration.ofMillis(200)).lease(LEASE))
                .build();
    }

    private static CompletableFuture<Void> unknown(Runnable call) {
        return CompletableFuture.runAsync(
                () -> assertThatThrownBy(call::run).isInstanceOf(OutcomeUnknownException.class));
    }

    private List<Post> posts(Collection<String> authors, String id) {
        return authors.stream().map(author -> Post.of(author, id, now)).toList();
    }

    private static List<PostKey> keys(List<Post> posts) {
        return posts.stream().map(Post::key).toList();
    }

    private static void assertShows(FeedEngine feed, String reader, List<Post> posts) {
        FeedPage<Post> page = feed.read(reader, PageRequest.first(100));
        assertThat(page.items()).containsExactlyInAnyOrderElementsOf(posts);
        assertThat(feed.read(
                                reader,
                                PageRequest.first(100),
                                all -> all.stream().collect(Collectors.toMap(Function.identity(), Function.identity())))
                        .items())
                .containsExactlyInAnyOrderElementsOf(posts);
    }

    /** Retractions follow a lease after the deletes. */
    private static void awaitDone(FeedEngine feed) {
        await().atMost(LIMIT).ignoreExceptions().until(() -> {
            feed.fanout().drain();
            return feed.fanout().backlog().tasks() == 0;
        });
    }

    private void awaitInStep() {
        RedisServer heir = cluster.nodes().get(cluster.nodes().indexOf(victim) + MASTERS);
        long written = offset(victim, "master_repl_offset");
        await().atMost(LIMIT).until(() -> offset(heir, "slave_repl_offset") >= written);
    }

    private static long offset(RedisServer server, String name) {
        return server.ask("INFO", "replication")
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    private static List<String> some(String prefix, Predicate<String> fitting) {
        return IntStream.range(0, 1000)
                .mapToObj(n -> prefix + n)
                .filter(fitting)
                .limit(2)
                .toList();
    }

    private boolean isVictims(int slot) {
        return cluster.owner(slot).port() == victim.port();
    }

    private int truthSlot(String author) {
        return slot(new Keys("feedkit").ofAuthor("posts", author));
    }

    private int userSlot(String user) {
        return slot(new Keys("feedkit").ofUser("inbox", user));
    }

    private int slot(byte[] key) {
        return cluster.slotOf(new String(key, StandardCharsets.US_ASCII));
    }
}
