package io.feedkit.jdbc.internal.posts;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toUnmodifiableSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.jdbc.TestDatabase;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A page of many authors' posts since an estimated time")
class RangeScanReaderTest {

    private static final int AUTHORS = RangeScanReader.FEW_AUTHORS + 10;
    private static final int BURST = 20_000;
    private static final int LIMIT = 3;
    private static final int TIED = 200;
    private static final int ROUNDS = 100;
    private static final int MOST_ROWS = 50 * LIMIT;

    private final TestDatabase test = TestDatabase.of(Kind.POSTGRESQL);
    private final Database database = test.database();

    @BeforeEach
    void fill() {
        insert("SELECT 'a' || (100 + n), 'p' || n, n, n FROM generate_series(1, " + AUTHORS + ") AS n");
    }

    @AfterEach
    void close() {
        test.close();
    }

    private void insert(String rows) {
        database.statement(
                "test",
                handle -> handle.execute(
                        database.sql("INSERT INTO ${post} (author, id, published_at, appended_at) " + rows)));
    }

    /**
     * The posts of the first author, whom the scan reads before the others. All are older than the last post of the
     * others.
     */
    private void burst() {
        insert("SELECT 'a101', 'b' || n, 1, 1 FROM generate_series(1, " + BURST + ") AS n");
        database.statement("test", handle -> handle.execute(database.sql("VACUUM ANALYZE ${post}")));
    }

    private static PageQuery query() {
        Set<String> authors =
                IntStream.rangeClosed(1, AUTHORS).mapToObj(n -> "a" + (100 + n)).collect(toUnmodifiableSet());
        return new PageQuery(authors, PositionRange.ALL, Order.NEWEST_FIRST, LIMIT);
    }

    private static List<Post> newest() {
        return newest(LIMIT);
    }

    private static List<Post> newest(int posts) {
        return IntStream.range(0, posts)
                .map(i -> AUTHORS - i)
                .mapToObj(n -> Post.of("a" + (100 + n), "p" + n, n))
                .toList();
    }

    @Test
    @DisplayName("is right")
    void page() {
        RangeScanReader near = new RangeScanReader(database);
        Optional<List<Post>> page = database.read("test", handle -> near.page(handle, query(), 0));
        assertThat(page).hasValue(newest());
    }

    @Test
    @DisplayName("keeps to its range, among posts of the same time")
    void ranges() {
        Random random = new Random(1);
        List<Post> all = new ArrayList<>(newest(AUTHORS));
        for (int n = 0; n < TIED; n++) {
            all.add(Post.of("a" + (101 + random.nextInt(AUTHORS)), "t" + n, random.nextInt(8)));
        }
        insert("SELECT * FROM (VALUES "
                + all.stream()
                        .skip(AUTHORS)
                        .map(post -> "('" + post.author() + "', '" + post.id() + "', "
                                + post.publishedAt().toEpochMilli() + ", 1)")
                        .collect(joining(", "))
                + ") AS tied");
        RangeScanReader near = new RangeScanReader(database);
        for (int round = 0; round < ROUNDS; round++) {
            Position one = Position.of(all.get(random.nextInt(all.size())));
            Position other = Position.of(all.get(random.nextInt(all.size())));
            PositionRange range = new PositionRange(Position.min(one, other), Position.max(one, other));
            PageQuery query = new PageQuery(query().authors(), range, Order.NEWEST_FIRST, 5 + random.nextInt(9));
            List<Post> expected = all.stream()
                    .filter(range::contains)
                    .sorted(((Comparator<Post>) Position::compare).reversed())
                    .limit(query.limit())
                    .toList();
            Optional<List<Post>> page = database.read(
                    "test", handle -> near.page(handle, query, range.from().millis()));
            assertThat(page).as("%s", query).hasValue(expected);
        }
    }

    @Test
    @DisplayName("is broken off after fifty pages, if an author has published very many posts")
    void burstOfPosts() {
        burst();
        RangeScanReader near = new RangeScanReader(database);
        database.read("test", handle -> {
            long before = rowsRead(handle);
            assertThat(near.page(handle, query(), 0)).isEmpty();
            assertThat(rowsRead(handle) - before).isLessThanOrEqualTo(MOST_ROWS + 10L);
            return handle;
        });
    }

    @Test
    @DisplayName("is read in another way after it was broken off")
    void fallBack() {
        PostSource posts = new PostSource(database, database);
        for (int time = 1; time <= 2; time++) {
            assertThat(page(posts)).isEqualTo(newest());
        }
        insert("SELECT 'a101', 'b' || n, " + (AUTHORS - 1) + ", 1 FROM generate_series(1, " + BURST + ") AS n");
        assertThat(page(posts))
                .isEqualTo(List.of(newest().get(0), newest().get(1), Post.of("a101", "b9999", AUTHORS - 1)));
    }

    private List<Post> page(PostSource posts) {
        return database.read("test", handle -> posts.page(handle, query()));
    }

    private static long rowsRead(Handle handle) {
        handle.createQuery("SELECT CAST(pg_stat_force_next_flush() AS text)")
                .mapTo(String.class)
                .list();
        return handle.createQuery("SELECT CAST((SELECT sum(seq_tup_read) FROM pg_stat_user_tables)"
                        + " + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes) AS bigint)")
                .mapTo(Long.class)
                .one();
    }
}
