package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.PostEvent;
import io.feedkit.queue.PostEventSink;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;

@DisplayName("Rows of post events")
class PostEventRowsTest {

    private static final String AWKWARD = "a\"b\\c'd{e}";

    /** A sink that refuses every event, so that the rows of events stay. */
    private static final class Refusing implements PostEventSink {

        @Override
        public List<Sent> send(List<PostEvent> events) {
            return Collections.nCopies(events.size(), Sent.REFUSED);
        }

        @Override
        public void close() {}
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("have the columns that outbox routers read, with references as their payload")
    void columns(TestDatabase.Kind kind) throws SQLException {
        try (TestDatabase test = TestDatabase.of(kind);
                FeedEngine engine = FeedEngine.builder(test.store())
                        .clock(test.clock())
                        .fanout(fanout -> fanout.pollInterval(Duration.ofHours(1)))
                        .workers(0)
                        .postEvents(new Refusing())
                        .build()) {
            long now = test.clock().millis();
            engine.publish(Post.of("bob", AWKWARD, 1234));
            try (Connection connection = test.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                engine.delete(new PostKey("bob", AWKWARD), JdbcTransaction.of(connection));
                assertThat(rows(test)).hasSize(1);
                connection.commit();
                connection.setAutoCommit(true);
            }
            assertThat(rows(test)).extracting(row -> row.get("type")).containsExactly("post.created", "post.deleted");
            assertThat(rows(test)).extracting(row -> row.get("id")).doesNotHaveDuplicates();
            assertThat(rows(test)).allSatisfy(row -> {
                assertThat((String) row.get("id")).matches("[0-9a-f-]{36}");
                assertThat(row).containsEntry("aggregatetype", "post").containsEntry("aggregateid", "bob");
                assertThat(((String) row.get("payload")).replaceAll("\\s", ""))
                        .isEqualTo("{\"author\":\"bob\",\"id\":\"a\\\"b\\\\c'd{e}\",\"publishedAt\":1234}");
                assertThat(row).containsEntry("recorded_at", now);
            });
        }
    }

    private static List<Map<String, Object>> rows(TestDatabase test) {
        return Jdbi.create(test.dataSource())
                .withHandle(
                        handle -> handle.createQuery("SELECT id, aggregatetype, aggregateid, type, payload, recorded_at"
                                        + " FROM feedkit_post_event ORDER BY type")
                                .mapToMap()
                                .list());
    }
}
