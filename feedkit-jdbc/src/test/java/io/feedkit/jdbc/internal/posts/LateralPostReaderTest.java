package io.feedkit.jdbc.internal.posts;

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
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A page of authors' posts, after an earlier page")
class LateralPostReaderTest {

    private static final int LIMIT = 5;
    private static final int MANY = RangeScanReader.FEW_AUTHORS + 1;

    private final TestDatabase test = TestDatabase.of(Kind.POSTGRESQL);
    private final Database database = test.database();
    private final LateralPostReader posts = new LateralPostReader(database);
    private final AtomicInteger statements = new AtomicInteger();

    @BeforeEach
    void fill() {
        database.statement(
                "test",
                handle -> handle.execute(database.sql("INSERT INTO ${post} (author, id, published_at, appended_at)"
                        + " SELECT 'a1', 'p' || n, n, 1 FROM generate_series(101, 200) AS n")));
    }

    @AfterEach
    void close() {
        test.close();
    }

    private List<Post> page(int authors, PositionRange range) {
        Set<String> ids =
                IntStream.rangeClosed(1, authors).mapToObj(n -> "a" + n).collect(toUnmodifiableSet());
        PageQuery query = new PageQuery(ids, range, Order.NEWEST_FIRST, LIMIT);
        return database.read("test", handle -> {
            handle.setSqlLogger(new SqlLogger() {
                @Override
                public void logAfterExecution(StatementContext context) {
                    statements.incrementAndGet();
                }
            });
            return posts.page(handle, query);
        });
    }

    private void learn(int authors) {
        assertThat(page(authors, PositionRange.ALL)).hasSize(LIMIT);
        statements.set(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, MANY})
    @DisplayName("is one statement if it is full")
    void full(int authors) {
        learn(authors);
        assertThat(page(authors, PositionRange.ALL)).hasSize(LIMIT);
        assertThat(statements).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, MANY})
    @DisplayName("is one statement if the range has too few posts, but ends before the estimate")
    void shortRange(int authors) {
        learn(authors);
        assertThat(page(authors, PositionRange.from(new Position(198, "", "")))).hasSize(3);
        assertThat(page(authors, PositionRange.from(new Position(201, "", "")))).isEmpty();
        assertThat(statements).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, MANY})
    @DisplayName("is two statements if there are too few posts down to the estimate, and the range goes further")
    void furtherBack(int authors) {
        learn(authors);
        assertThat(page(authors, PositionRange.below(new Position(103, "", ""))))
                .hasSize(2);
        assertThat(statements).hasValue(2);
    }
}
