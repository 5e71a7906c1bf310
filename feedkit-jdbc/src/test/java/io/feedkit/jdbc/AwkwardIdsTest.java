package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.jdbc.TestDatabase.Kind;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;

/** Ids with a meaning in SQL, JSON, arrays, placeholders or patterns. */
class AwkwardIdsTest {

    private static final List<String> IDS = List.of(
            "'",
            "''",
            "a'b",
            "\"",
            "a\"b",
            "\\",
            "\\\\",
            "a\\",
            "\\'",
            "\\n",
            "%",
            "_",
            "a_b",
            "axb",
            ";--",
            "';DROP/**/TABLE/**/feedkit_post;--",
            "${post}",
            "${now}",
            ":now",
            ":reader",
            "::text",
            "?",
            "??",
            "{",
            "}",
            "{a,b}",
            "a,b",
            "[\"a\"]",
            "NULL",
            "null",
            "/*",
            "*/",
            "--",
            "#",
            "`",
            "$$",
            "$1",
            "||",
            "7",
            "007",
            "a",
            "A",
            "~",
            "!",
            "\\u0041",
            "&#39;",
            "<%a%>",
            "'".repeat(64),
            "\\".repeat(64),
            "\"".repeat(64));

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("every operation preserves every id")
    void everyOperation(Kind kind) {
        // The kits run such ids under all policies on every database, so one policy is enough here.
        List<FanoutPolicy> policies = kind == Kind.POSTGRESQL
                ? List.of(FanoutPolicy.push(), FanoutPolicy.pull())
                : List.of(FanoutPolicy.push());
        for (FanoutPolicy policy : policies) {
            try (TestDatabase database = TestDatabase.of(kind);
                    JdbcFeedStore store = database.store();
                    FeedEngine feed = FeedEngine.builder(store)
                            .clock(database.clock())
                            .policy(policy)
                            .workers(0)
                            .build()) {
                live(feed);
                die(feed);
            }
        }
    }

    private static void live(FeedEngine feed) {
        for (String user : IDS) {
            feed.read(user, PageRequest.first(10));
            assertThat(feed.follow(user, "author")).isTrue();
            assertThat(feed.follow("everybody", user)).isTrue();
        }
        feed.read("everybody", PageRequest.first(10));
        for (String user : IDS) {
            feed.publish(user, user);
            feed.publish("author", user);
        }
        feed.fanout().drain();
        assertThat(feed.fanout().backlog().tasks()).isZero();
        assertThat(feed.followers("author", 100).ids())
                .isEqualTo(IDS.stream().sorted().toList());
        assertThat(feed.followees("everybody", 100).ids())
                .isEqualTo(IDS.stream().sorted().toList());
        assertThat(feed.followCounts("author").followers()).isEqualTo(IDS.size());
        FeedPage<Post> all = feed.read("everybody", PageRequest.first(100));
        assertThat(all.items()).extracting(Post::author).containsExactlyInAnyOrderElementsOf(IDS);
        for (String user : IDS) {
            assertThat(feed.isFollowing(user, "author")).isTrue();
            FeedPage<Post> page = feed.read(user, PageRequest.first(100));
            assertThat(page.items()).extracting(Post::id).containsExactlyInAnyOrderElementsOf(IDS);
            assertThat(feed.unread(user).count()).isEqualTo(IDS.size());
            feed.markSeen(user, page.newer());
            assertThat(feed.unread(user).count()).isZero();
            assertThat(feed.readAuthor(user, PageRequest.first(10)).items())
                    .extracting(Post::id)
                    .containsExactly(user);
            feed.refresh(user);
            feed.rebuild(user);
        }
    }

    private static void die(FeedEngine feed) {
        for (String user : IDS) {
            assertThat(feed.delete("author", user)).isTrue();
            assertThat(feed.delete("author", user)).isFalse();
        }
        feed.fanout().drain();
        for (String user : IDS) {
            assertThat(feed.read(user, PageRequest.first(100)).items()).isEmpty();
            assertThat(feed.unfollow("everybody", user)).isTrue();
            feed.forget(user);
        }
        assertThat(feed.read("everybody", PageRequest.first(100)).items()).isEmpty();
        assertThat(feed.followers("author", 100).ids()).isEmpty();
    }
}
