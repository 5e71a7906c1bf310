package io.feedkit.examples.articles;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.examples.Cli;
import io.feedkit.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The articles")
class ArticlesTest {

    private static void assertShowsEverything(Cli run) {
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out().lines().map(String::strip))
                .containsSubsequence(
                        "Ann's feed: nothing yet",
                        "Rows in the magazine's table: 1. Posts by Ben: 1.",
                        "The transaction was rolled back: the picture is missing.",
                        "Rows in the magazine's table: 1. Posts by Ben: 1.",
                        "Ann's feed: How feeds work",
                        "Ann has seen it all. Unread: 0",
                        "Rows in the magazine's table: 2. Posts by Ben: 2.",
                        "Posts still to be pushed: 1",
                        "Posts still to be pushed: 1",
                        "Posts still to be pushed: 0",
                        "Ann's feed: How feeds survive, How feeds work",
                        "The feed and Ann's mark are still there. Unread: 1");
    }

    @Test
    @DisplayName("are published with their rows or not at all, and survive a restart, on a temporary H2 file")
    void h2() {
        Cli run = Cli.run("articles");

        assertShowsEverything(run);
        assertThat(run.out()).contains("No server is needed");
        assertThat(run.out().lines().filter(line -> line.matches("[0-9].*")))
                .extracting(line -> line.replaceFirst(":.*", ""))
                .containsExactly("1. Follow", "2. Publish", "3. Roll back", "4. Read", "5. Stop", "6. Restart");
        assertThat(run.out().lines())
                .hasSizeLessThan(60)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(95));
    }

    @Test
    @DisplayName("do the same on PostgreSQL, and leave nothing there")
    void postgres() throws SQLException {
        String url = PostgresServer.shared().createDatabase();

        assertShowsEverything(Cli.run("articles", "--url", url));

        try (Connection connection = DriverManager.getConnection(url);
                ResultSet tables = connection.getMetaData().getTables(null, "public", "%", new String[] {"TABLE"})) {
            assertThat(tables.next()).isFalse();
        }
    }

    @Test
    @DisplayName("say what is wrong with a URL")
    void badUrl() {
        Cli run = Cli.run("articles", "--url", "jdbc:nonsense:");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("url cannot be used");
        assertThat(run.out()).isEmpty();
    }
}
