package io.feedkit.tools.replay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.tools.Cli;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays so small that everything can be worked out by hand. */
@DisplayName("A replay")
class ReplayTest {

    private static final String FOLLOWS = "10 1\n10 2\n9 2\n2 1\n";

    /**
     * Posts 0 and 2 by author 1, 1 and 3 by author 2, 4 by author 3 whom nobody follows; 2 and 3 in the same second.
     */
    private static final String POSTS = "100 1\n101 2\n102 1\n102 2\n103 3\n";

    private static final String FEEDS = "2:2,0\n9:3,1\n10:3,2,1,0\n";

    @TempDir
    private Path dir;

    private int files;

    private Path file(String text) throws IOException {
        return Files.writeString(dir.resolve("file" + files++ + ".txt"), text);
    }

    private Path gzip(String text) throws IOException {
        Path file = dir.resolve("file" + files++);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(text.getBytes(US_ASCII));
        }
        return file;
    }

    private static Cli replay(Object follows, String option, Path events, String policy, String... more) {
        List<Object> args = new ArrayList<>(
                List.of("replay", "--digest", "--follows", follows, option, events, "--policy", policy));
        args.addAll(List.of(more));
        Cli run = Cli.run(args);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run;
    }

    private static String digest(String feeds) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(feeds.getBytes(US_ASCII)));
    }

    @Nested
    @DisplayName("of posts")
    class OfPosts {

        @ParameterizedTest
        @DisplayName("gives every reader the posts of those they follow, under every policy")
        @ValueSource(
                strings = {
                    "push",
                    "pull",
                    "hybrid:1",
                    "hybrid:2",
                    "hybrid:3",
                    "active:1",
                    "active:2",
                    "online",
                    "online:1",
                    "online:2"
                })
        void feeds(String policy) throws Exception {
            Path follows = file(FOLLOWS);
            Path posts = file(POSTS);

            for (String[] more : new String[][] {
                {}, {"--walk"}, {"--walk", "--page", "1", "--threads", "4"}, {"--queue", "memory", "--threads", "4"}
            }) {
                Cli run = replay(follows, "--posts", posts, policy, more);
                assertThat(run.value("digest")).isEqualTo(digest(FEEDS));
                assertThat(run.value("posts")).isEqualTo("5");
            }
        }

        @Test
        @DisplayName("counts deliveries and where posts came from")
        void figures() throws Exception {
            Path follows = file(FOLLOWS);
            Path posts = file(POSTS);

            Cli push = replay(follows, "--posts", posts, "push");
            assertThat(push.value("deliveries")).isEqualTo("8");
            assertThat(push.value("pulled posts")).isEqualTo("0");
            assertThat(push.value("posts served from inboxes")).isEqualTo("8");
            assertThat(push.value("posts served from outboxes")).isEqualTo("0");
            assertThat(push.value("outbox calls")).isEqualTo("0");

            Cli pull = replay(follows, "--posts", posts, "pull");
            assertThat(pull.value("deliveries")).isEqualTo("0");
            assertThat(pull.value("pulled posts")).isEqualTo("5");
            assertThat(pull.value("posts served from inboxes")).isEqualTo("0");
            assertThat(pull.value("posts served from outboxes")).isEqualTo("8");
            assertThat(pull.value("outbox calls")).isNotEqualTo("0");
        }

        @Test
        @DisplayName("prints a line for every figure, and the digest only if asked")
        void lines() throws Exception {
            Cli run = Cli.run("replay", "--follows", file(FOLLOWS), "--posts", file(POSTS), "--policy", "push");

            assertThat(run.out().lines().map(line -> line.substring(0, line.indexOf(": "))))
                    .containsExactly(
                            "posts",
                            "deliveries",
                            "pulled posts",
                            "seconds",
                            "deliveries/s",
                            "publish p50/p99",
                            "read p50/p99",
                            "reads/s",
                            "posts served from inboxes",
                            "posts served from outboxes",
                            "outbox calls",
                            "heap used");
            assertThat(run.err()).contains("100%");
        }

        @Test
        @DisplayName("reads the newest posts, as many as asked for")
        void newest() throws Exception {
            Cli run = replay(file(FOLLOWS), "--posts", file(POSTS), "push", "--newest", "3");

            assertThat(run.value("digest")).isEqualTo(digest("2:2,0\n9:3,1\n10:3,2,1\n"));
        }

        @Test
        @DisplayName("reads gzip by content, unites follows, and passes over repeated and self-follows")
        void inputs() throws Exception {
            Path some = gzip("10 1\n10 2\n9 2\n7 7\n");
            Path more = file("0010 2\n2 1\n2 2\n");

            Cli run = replay(some + "," + more, "--posts", gzip(POSTS), "push");

            assertThat(run.value("digest")).isEqualTo(digest(FEEDS));
            assertThat(run.value("deliveries")).isEqualTo("8");
        }

        @Test
        @DisplayName("keeps the order of time when the file does not")
        void unsorted() throws Exception {
            Path posts = file("500 1\n100 1\n300 1\n300 1\n");

            Cli run = replay(file("5 1\n"), "--posts", posts, "push");

            assertThat(run.value("digest")).isEqualTo(digest("5:0,3,2,1\n"));
        }

        @Test
        @DisplayName("may have no posts, and no follows")
        void nothing() throws Exception {
            assertThat(replay(file("5 1\n"), "--posts", file(""), "push").value("digest"))
                    .isEqualTo(digest("5:\n"));
            assertThat(replay(file(""), "--posts", file(POSTS), "push").value("digest"))
                    .isEqualTo(digest(""));
        }

        @Test
        @DisplayName("walks far below the inbox, batches and pages of every size")
        void deep() throws Exception {
            StringBuilder posts = new StringBuilder();
            StringBuilder feed = new StringBuilder();
            for (int i = 0; i < 1234; i++) {
                posts.append(1000 + i / 3).append(' ').append(1 + i % 4).append('\n');
                feed.insert(0, i + (i == 0 ? "" : ","));
            }
            Path follows = file("5 1\n5 2\n5 3\n5 4\n");
            Path file = file(posts.toString());

            for (String policy : List.of("push", "pull", "hybrid:1")) {
                for (String page : List.of("1", "7", "1000")) {
                    Cli run = replay(follows, "--posts", file, policy, "--cap", "10", "--walk", "--page", page);
                    assertThat(run.value("digest")).isEqualTo(digest("5:" + feed + "\n"));
                }
            }
            Cli newest = replay(follows, "--posts", file, "push", "--cap", "10", "--newest", "1000");
            assertThat(newest.value("posts served from outboxes")).isNotEqualTo("0");
        }
    }

    @Nested
    @DisplayName("of operations")
    class OfOperations {

        private void assertFeeds(String ops, String feeds) throws Exception {
            Path follows = file("5 1\n");
            Path file = file(ops);
            for (String policy : List.of("push", "pull", "hybrid:1", "hybrid:2", "active:1", "online", "online:2")) {
                Cli run = replay(follows, "--ops", file, policy);
                assertThat(run.value("digest")).as(policy).isEqualTo(digest(feeds));
            }
        }

        @Test
        @DisplayName("publishes, and shows ids as integers, however large")
        void publish() throws Exception {
            assertFeeds("1000 P 1 7\n2000 P 1 12345678\n3000 P 1 0\n3000 P 9 5\n", "5:0,12345678,7\n");
        }

        @Test
        @DisplayName("orders posts of the same time by their ids with seven digits")
        void ties() throws Exception {
            assertFeeds("1000 P 1 9\n1000 P 1 10\n1000 P 1 10000000\n1000 P 1 9999999\n", "5:9999999,10000000,10,9\n");
        }

        @Test
        @DisplayName("lets readers come and go: who has not read for hours gets no push, and reads the same feed")
        void comeAndGo() throws Exception {
            String ops = """
                    1000 P 1 1
                    3600000 P 1 2
                    18000000 P 1 3
                    21600000 R 5
                    25200000 P 1 4
                    50400000 P 1 5
                    50400001 D 1 2
                    """;
            assertFeeds(ops, "5:5,4,3,1\n");
            for (String walk : List.of("--walk", "--unread")) {
                Path follows = file("5 1\n6 1\n7 5\n");
                Path events = file(ops + "50500000 P 5 6\n50600000 R 7\n");
                String pushed = replay(follows, "--ops", events, "push", walk).value("digest");
                Cli online = replay(follows, "--ops", events, "online", walk);
                assertThat(online.value("digest")).isEqualTo(pushed);
                assertThat(online.value("pulled posts")).isEqualTo("6");
            }
        }

        @Test
        @DisplayName("publishes only once: the first time counts")
        void again() throws Exception {
            assertFeeds("1000 P 1 7\n2000 P 1 8\n3000 P 1 7\n3000 P 1 007\n", "5:8,7\n");
            Cli run = replay(file("5 1\n"), "--ops", file("1000 P 1 7\n2000 P 1 7\n"), "push");
            assertThat(run.value("posts")).isEqualTo("1");
            assertThat(run.value("deliveries")).isEqualTo("1");
        }

        @Test
        @DisplayName("keeps posts of the same id by two authors apart")
        void sameId() throws Exception {
            assertFeeds("500 F 5 2\n1000 P 1 7\n1000 P 2 7\n2000 D 1 7\n3000 P 1 8\n", "5:8,7\n");
            assertFeeds("500 F 5 2\n1000 P 1 7\n1000 P 2 7\n", "5:7,7\n");
        }

        @Test
        @DisplayName("deletes for good, also what was not published yet")
        void delete() throws Exception {
            assertFeeds("1000 P 1 7\n1000 P 1 8\n2000 D 1 7\n3000 P 1 7\n", "5:8\n");
            assertFeeds("1000 D 1 7\n2000 P 1 7\n3000 P 1 8\n", "5:8\n");
        }

        @Test
        @DisplayName("follows and unfollows: the feed has all posts of those followed in the end")
        void follows() throws Exception {
            assertFeeds("1000 P 2 7\n2000 F 6 2\n3000 P 2 8\n", "5:\n6:8,7\n");
            assertFeeds("1000 P 1 7\n2000 U 5 1\n3000 P 1 8\n", "5:\n");
            assertFeeds("1000 P 1 7\n2000 U 5 1\n3000 P 1 8\n4000 F 5 1\n5000 P 1 9\n", "5:9,8,7\n");
            assertFeeds("1000 U 8 9\n1000 U 5 5\n2000 P 1 7\n", "5:7\n");
        }

        @Test
        @DisplayName("counts whoever tries to follow as a reader, but nobody follows themselves")
        void selfFollow() throws Exception {
            assertFeeds("1000 F 6 6\n2000 P 6 7\n", "5:\n6:\n");
        }

        @Test
        @DisplayName("reads in between, also for readers who follow nobody")
        void reads() throws Exception {
            assertFeeds("1000 P 1 7\n2000 R 5\n2000 R 77\n2000 P 1 8\n", "5:8,7\n");
        }

        @Test
        @DisplayName("takes posts that bear earlier times than those before them")
        void backDated() throws Exception {
            assertFeeds("9000 P 1 7\n1000 P 1 8\n5000 P 1 9\n", "5:7,9,8\n");
        }
    }
}
