package io.feedkit.tools.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testservers.RedisServer;
import io.feedkit.tools.Cli;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is in Redis")
class InspectTest {

    private static final String ANY_TIME = "20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z";

    private static final long SOME_TIME = 1_760_000_000_000L;

    private final String uri = RedisServer.shared().uri();
    private final String prefix = "inspect-" + System.nanoTime();
    private final RedisClient client = RedisClient.create(uri);
    private final RedisCommands<String, String> redis = client.connect().sync();
    private final RedisFeedStore store = RedisFeedStore.builder(RedisServers.at(RedisURI.create(uri)))
            .prefix(prefix)
            .build();

    @AfterEach
    void close() {
        store.close();
        client.shutdown();
    }

    private List<String> inspect(Object... what) {
        List<Object> all = new ArrayList<>(List.of("inspect", "--uri", uri, "--prefix", prefix));
        all.addAll(List.of(what));
        Cli run = Cli.run(all);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run.out()
                .lines()
                .map(line -> line.strip().replaceAll(ANY_TIME, "TIME"))
                .toList();
    }

    @Test
    @DisplayName("is nothing under another prefix, which is said")
    void nothing() {
        Cli run = Cli.run("inspect", "--uri", uri, "--prefix", "nobody-uses-this", "log");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEqualToIgnoringNewLines("nothing is kept under prefix nobody-uses-this");
    }

    @Test
    @DisplayName("is what an engine wrote, and can be read by the format alone")
    void example() {
        try (FeedEngine feed = FeedEngine.builder(store)
                .policy(FanoutPolicy.hybrid(10_000))
                .workers(0)
                .build()) {
            feed.follow("ann", "ben");
            feed.follow("ann", "cleo");
            feed.read("ann", PageRequest.first(20));
            feed.publish("ben", "101");
            feed.publish("cleo", "102");
            feed.publish("ben", "103");
            feed.fanout().drain();
        }

        assertThat(inspect("reader", "ann"))
                .contains(
                        "inbox      " + prefix + ":{73}:inbox:ann: live",
                        "complete down to the beginning",
                        "entries 3",
                        "followees  " + prefix + ":{73}:followees:ann: 2",
                        "seen       " + prefix + ":{73}:seen:ann: nothing")
                .containsSubsequence("TIME ben/103", "TIME cleo/102", "TIME ben/101")
                .containsSubsequence("ben", "cleo");
        assertThat(inspect("--limit", "1", "author", "ben"))
                .contains("TIME 103", "last published TIME", "ann")
                .doesNotContain("TIME 101")
                .anyMatch(line -> line.startsWith("posts") && line.endsWith(":posts:ben: 2, and 0 deleted"))
                .anyMatch(line -> line.startsWith("followers") && line.endsWith(":followers:ben: 1"));
    }

    @Test
    @DisplayName("shows marks, deleted posts, pulled authors, and tasks that wait, are leased, lent or dead")
    void everything() {
        try (FeedEngine feed =
                FeedEngine.builder(store).workers(0).policy(FanoutPolicy.pull()).build()) {
            feed.follow("ann", "ben");
            feed.publish("ben", "a:1");
            feed.publish("ben", "b~{z}!");
            feed.fanout().drain();
            feed.read("ann", PageRequest.first(5));
            feed.markSeen("ann", feed.read("ann", PageRequest.first(5)).newer());
            feed.delete("ben", "a:1");
            feed.usePolicy(FanoutPolicy.push());
            feed.publish("ben", "c");
        }
        store.inbox(new InboxLimits(100, 1000)).beginFollow("ann", List.of("cleo"));
        List<Claim> claims = store.outbox().fanout().claim(1, 60_000);
        assertThat(inspect("reader", "ann"))
                .anyMatch(line -> line.startsWith("unfinished follow: cleo, token "))
                .anyMatch(line -> line.startsWith("seen") && line.endsWith("TIME ben/b~{z}!"));
        assertThat(inspect("author", "ben"))
                .anyMatch(line -> line.startsWith("posts") && line.endsWith(":posts:ben: 2, and 1 deleted"))
                .contains("TIME b~{z}!", "TIME c");
        assertThat(inspect("register"))
                .anyMatch(line -> line.contains("1 authors pulled, 1 posts being retracted"))
                .contains("ben: from TIME ben/a:1 to TIME ben/b~{z}!", "retracting ben/a:1");
        assertThat(claims).hasSize(1);
        assertThat(inspect("log"))
                .anyMatch(line -> line.endsWith(" leased until TIME: retract TIME ben/a:1, created TIME"))
                .anyMatch(line -> line.endsWith(" fresh: push TIME ben/c, created TIME"));
        assertThat(store.outbox().fanout().moveToDeadLetters(claims.get(0), 1, "no \u20ac left"))
                .isTrue();
        assertThat(inspect("log"))
                .anyMatch(line -> line.endsWith(
                        " dead since TIME, no \u20ac left: retract TIME ben/a:1, created TIME, failed 1 times"));
        assertThat(store.outbox().fanout().lend(1, 60_000, 1)).hasSize(1);
        assertThat(inspect("log")).anyMatch(line -> line.endsWith(" lent until TIME: push TIME ben/c, created TIME"));
    }

    @Test
    @DisplayName("shows the head of a pulled author, whatever the ids of the posts")
    void head() {
        try (FeedEngine feed =
                FeedEngine.builder(store).workers(0).policy(FanoutPolicy.pull()).build()) {
            feed.follow("ann", "ben");
            feed.publish(Post.of("ben", "1234567", SOME_TIME + 1));
            feed.publish(Post.of("ben", "b~{z}!", SOME_TIME + 2));
            feed.publish(Post.of("ben", "12345678", SOME_TIME + 3));
            feed.read("ann", PageRequest.first(5));
        }
        List<String> lines = inspect("--limit", "3", "author", "ben");
        int head = IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).startsWith("head "))
                .findFirst()
                .orElseThrow();
        assertThat(lines.subList(head + 1, head + 4)).containsExactly("TIME 12345678", "TIME b~{z}!", "TIME 1234567");
        assertThat(inspect("--limit", "1", "author", "ben"))
                .filteredOn(line -> line.equals("TIME 12345678"))
                .hasSize(2);
    }

    @Test
    @DisplayName("belongs to a source of truth, which is shown with the versions")
    void identity() {
        try (FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
            feed.follow("ann", "ben");
        }
        String identity = store.outbox().identity();
        assertThat(inspect("format"))
                .containsExactly(
                        "format     " + prefix + ":{t0}:format",
                        "inbox 1",
                        "inbox.identity " + identity,
                        "truth 1",
                        "truth.identity " + identity);
    }

    @Test
    @DisplayName("is not changed by looking")
    void readOnly() {
        Map<String, String> before = dump();
        inspect("reader", "ann");
        inspect("author", "ben");
        inspect("log");
        inspect("register");
        inspect("format");
        assertThat(dump()).isNotEmpty().isEqualTo(before);
    }

    /** All keys with their contents; renewals and expiries would show in the lists' headers. */
    private Map<String, String> dump() {
        Map<String, String> all = new TreeMap<>();
        for (String key : redis.keys(prefix + ":*")) {
            all.put(key, Arrays.toString(redis.dump(key)));
        }
        return all;
    }

    @Test
    @DisplayName("cannot be shown without a server, a subject or a sensible limit, or if it is foreign")
    void refused() {
        assertThat(Cli.run("inspect", "--uri", "redis://127.0.0.1:1", "log").exitCode())
                .isEqualTo(1);
        assertThat(Cli.run("inspect", "--uri", "http://127.0.0.1", "log").exitCode())
                .isEqualTo(2);
        assertThat(Cli.run("inspect").err()).contains("a subcommand is missing");
        assertThat(Cli.run("inspect", "--limit", "0", "log").err()).contains("limit must be at least 1, but is 0");
        String key = prefix + ":{73}:seen:ann";
        redis.set(key, "mine");
        assertThat(Cli.run("inspect", "--uri", uri, "--prefix", prefix, "reader", "ann")
                        .err())
                .contains("cannot read " + key + ": its format is not version 2");
    }
}
