package io.feedkit.examples.microblog.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.counter.Counters;
import io.feedkit.examples.microblog.MicroblogTest;
import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.account.Accounts;
import io.feedkit.examples.microblog.oauth.Tokens;
import io.feedkit.examples.microblog.world.DemoController.Demo;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@DisplayName("The world")
class WorldTest extends MicroblogTest {

    @Autowired
    private SmallWorld small;

    @Autowired
    private RecordedWeek week;

    @Autowired
    private Accounts accounts;

    @Autowired
    private Tokens tokens;

    @Autowired
    private WorldRow row;

    @Autowired
    private FeedEngine feed;

    @Autowired
    private Counters counters;

    private Account named(String name) {
        return accounts.findByName(name).orElseThrow();
    }

    @Test
    @DisplayName("that is invented has full home feeds, an announcement and accounts to log in to")
    void small() throws Exception {
        String earlier = signUp(fresh("early"));
        small.create();
        Account ada = named("ada");
        assertThat(feed.read(ada.key(), PageRequest.first(40)).items()).hasSize(40);
        assertThat(feed.followCounts(ada.key()).followees()).isGreaterThan(15);
        assertThat(counters.get("following", ada.key()))
                .isEqualTo(feed.followCounts(ada.key()).followees());
        assertThat(counters.get("followers", named("delia").key())).isEqualTo(29);

        JsonNode announcement = json(get("/api/v1/announcements", earlier)).get(0);
        assertThat(announcement.get("read").booleanValue()).isFalse();
        String id = announcement.get("id").stringValue();
        assertThat(send("POST", "/api/v1/announcements/" + id + "/dismiss", earlier, "")
                        .body())
                .isEqualTo("{}");
        assertThat(json(get("/api/v1/announcements", earlier))
                        .get(0)
                        .get("read")
                        .booleanValue())
                .isTrue();
        assertThat(json(get("/api/v1/announcements", signUp(fresh("late"))))
                        .get(0)
                        .get("read")
                        .booleanValue())
                .isTrue();
    }

    @Test
    @DisplayName("names its accounts with their tokens, and an empty one names none")
    void demo() throws Exception {
        assertThat(get("/api/feedkit/demo", "").statusCode()).isEqualTo(404);
        signUp("demo");
        tokens.preset("known", named("demo"));
        WorldSettings settings = new WorldSettings("small", null, true, Map.of("demo", "known", "gone", "other"));
        assertThat(new DemoController(settings, tokens).demo())
                .extracting(Demo::username, Demo::token)
                .containsExactly(tuple("demo", "known"));
    }

    @Test
    @DisplayName("is created once, and one that was not finished is refused")
    void unfinished() {
        assertThat(row.begin("small", true)).isFalse();
        assertThat(row.begin("small", false)).isTrue();
        assertThatThrownBy(() -> row.begin("small", true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is not finished");
        row.finish();
        assertThat(row.begin("small", true)).isFalse();
    }

    @Test
    @DisplayName("that was recorded ends now, in the order of its files")
    void week(@TempDir Path directory) throws Exception {
        write(directory.resolve("higgs-follows.txt.gz"), "1 2\n1 3\n2 1\n");
        write(directory.resolve("higgs-posts.txt.gz"), "1341100972 2\n1341100972 3\n1341101181 1\n1341101181 2\n");
        week.load(directory);
        assertThat(feed.read(named("user1").key(), PageRequest.first(10)).items())
                .extracting(post -> post.author())
                .containsExactly(
                        named("user2").key(),
                        named("user1").key(),
                        named("user3").key(),
                        named("user2").key());
        assertThat(counters.get("statuses", named("user2").key())).isEqualTo(2);
    }

    private static void write(Path file, String lines) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(lines.getBytes(StandardCharsets.UTF_8));
        }
    }
}
