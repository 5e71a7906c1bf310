package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.jdbc.TestDatabase.Kind;
import java.time.Duration;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The mapping of a host's table")
class PostsTableTest {

    private static final PostsTable ODD = PostsTable.named("odd");

    private static AbstractThrowableAssert<?, ?> assertRefused(TestDatabase database, PostsTable posts) {
        return assertThatThrownBy(() -> JdbcFeedStore.builder(database.dataSource())
                        .posts(posts)
                        .maintenanceInterval(Duration.ZERO)
                        .build())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("is refused when the store is built, if the table or a column is missing or has a wrong type")
    void unfit(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind)) {
            HostTable table = new HostTable(database, kind);
            String binary = kind.isMySql() ? "CHARACTER SET ascii COLLATE ascii_bin" : "";
            table.execute(
                    "DROP TABLE IF EXISTS odd",
                    "CREATE TABLE odd (author varchar(64) " + binary + ", id varchar(64) " + binary
                            + ", published_at bigint, price decimal(9,2), padded char(9), at timestamp NULL)");
            assertRefused(database, PostsTable.named("nowhere")).hasMessageContaining("there is no nowhere");
            assertRefused(database, ODD.schema("elsewhere")).hasMessageContaining("elsewhere.odd");
            assertRefused(database, ODD.author("writer")).hasMessageContaining("no column writer");
            assertRefused(database, ODD.id("key_of_post")).hasMessageContaining("no column key_of_post");
            assertRefused(database, ODD.id("price")).hasMessageContaining("odd.price");
            assertRefused(database, ODD.author("padded")).hasMessageContaining("odd.padded");
            assertRefused(database, ODD.publishedAt("author", PostsTable.Time.MILLIS))
                    .hasMessageContaining("odd.author");
            assertRefused(database, ODD.publishedAt("at", PostsTable.Time.MILLIS))
                    .hasMessageContaining("odd.at");
            assertRefused(database, ODD.publishedAt("published_at", PostsTable.Time.TIMESTAMP))
                    .hasMessageContaining("odd.published_at");
            JdbcFeedStore.builder(database.dataSource()).posts(ODD).build().close();
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases(without = {Kind.H2, Kind.POSTGRESQL})
    @DisplayName("is refused in MariaDB and MySQL, if a column does not compare by bytes")
    void collation(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind)) {
            new HostTable(database, kind)
                    .execute(
                            "DROP TABLE IF EXISTS odd",
                            "CREATE TABLE odd (author bigint,"
                                    + " id varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci,"
                                    + " published_at bigint)");
            assertRefused(database, ODD).hasMessageContaining("odd.id").hasMessageContaining("utf8mb4_general_ci");
        }
    }

    @ParameterizedTest
    @Tag("once")
    @ValueSource(strings = {"", "Article", "1st", "a b", "a;--", "a\"", "a.b", ":now", "${post}"})
    @DisplayName("accepts only plain identifiers")
    void names(String name) {
        assertThatThrownBy(() -> PostsTable.named(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ODD.author(name)).hasMessageContaining("posts' author must");
        assertThatThrownBy(() -> ODD.id(name)).hasMessageContaining("posts' id must");
        assertThatThrownBy(() -> ODD.publishedAt(name, PostsTable.Time.MILLIS))
                .hasMessageContaining("posts' publishedAt must");
    }

    @Test
    @Tag("once")
    @DisplayName("accepts no nulls, and is set once")
    void settings() {
        assertThatThrownBy(() -> PostsTable.named(null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ODD.publishedAt("at", null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ODD.schema(null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        JdbcFeedStore.builder("jdbc:h2:mem:any").posts(ODD).posts(ODD))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("posts was set before");
    }
}
