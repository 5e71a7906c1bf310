package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.examples.guides.HomeFeed.Card;
import io.feedkit.spi.ComposedStore;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs {@link HomeFeed}, the program of the page, on the table that the page shows. */
@DisplayName("The page for getting started")
@Timeout(120)
class GettingStartedTest {

    private static final String PAGE = "../getting-started.md";

    @Test
    @DisplayName("shows a program that prints what the page says")
    void prints() throws IOException, SQLException {
        String url = databaseWithTable();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream console = System.out;
        try (RedisServer redis = RedisServer.start(Durability.FAST)) {
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            HomeFeed.main(new String[] {url, redis.uri()});
        } finally {
            System.setOut(console);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8).strip()).isEqualTo(block("text"));
    }

    @Test
    @DisplayName("shows a class that reads a feed page by page")
    void walks() throws IOException, SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(databaseWithTable());
        try (RedisServer redis = RedisServer.start(Durability.FAST);
                HikariDataSource database = new HikariDataSource(config);
                ComposedStore store = HomeFeed.openStore(database, redis.uri());
                FeedEngine feed = FeedEngine.builder(store).build()) {
            HomeFeed home = new HomeFeed(database, feed);
            feed.follow("alice", "bob");
            List<String> bodies =
                    IntStream.range(0, 21).mapToObj(i -> "text " + i).toList();
            for (String body : bodies) {
                home.publish("bob", body);
            }

            FeedPage<Card> first = home.page("alice", Optional.empty());
            FeedPage<Card> last = home.page("alice", first.older().map(Cursor::toString));

            assertThat(first.items()).hasSize(20);
            assertThat(last.items()).hasSize(1);
            assertThat(last.older()).isEmpty();
            assertThat(Stream.concat(first.items().stream(), last.items().stream()))
                    .extracting(Card::body)
                    .containsExactlyInAnyOrderElementsOf(bodies);
        }
    }

    @Test
    @DisplayName("names the versions that the build uses")
    void versions() throws IOException {
        String build = Files.readString(Path.of("..", "pom.xml"))
                + Files.readString(Path.of("..", "support", "feedkit-bom", "pom.xml"));
        Pattern version = Pattern.compile("<artifactId>[^<]+</artifactId><version>[^<]+</version>");
        List<String> shown = version.matcher(withoutSpace(block("xml")))
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(shown)
                .isNotEmpty()
                .allSatisfy(text -> assertThat(withoutSpace(build)).contains(text));
    }

    @Test
    @DisplayName("shows what is tested here")
    void isThisOne() throws IOException {
        GuideTexts.assertShown(PAGE, "HomeFeed");
    }

    /** A database with the table of posts that the page shows. */
    private static String databaseWithTable() throws IOException, SQLException {
        String url = PostgresServer.shared().createDatabase();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(block("sql"));
        }
        return url;
    }

    /** The page's first block in a language. */
    private static String block(String language) throws IOException {
        return GuideTexts.block(PAGE, language);
    }

    private static String withoutSpace(String text) {
        return text.replaceAll("\\s+", "");
    }
}
