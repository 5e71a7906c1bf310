package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FollowCounts;
import io.feedkit.PageRequest;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.KeyRange;
import io.feedkit.verify.Finding;
import io.feedkit.verify.Finding.Repair;
import io.feedkit.verify.FindingKind;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
@DisplayName("Damage to tables that verify finds and repairs")
class JdbcVerifyTest {

    private static final VerifyRequest ALL_AT_ONCE =
            VerifyRequest.everything().perSecond(1_000_000).recheckAfter(Duration.ZERO);

    private final TestDatabase database;
    private final FeedEngine engine;

    JdbcVerifyTest(Kind kind) {
        database = TestDatabase.lent(kind);
        engine = FeedEngine.builder(database.store())
                .clock(database.clock())
                .workers(0)
                .build();
    }

    @BeforeEach
    void prepare() {
        engine.follow("ann", "bob");
        engine.follow("dan", "bob");
        engine.read("ann", PageRequest.first(1));
        engine.publish("bob", "p1");
        engine.fanout().drain();
        database.clock().advance(Duration.ofSeconds(5));
        assertThat(engine.verify(ALL_AT_ONCE).findings()).isEmpty();
    }

    @AfterEach
    void close() {
        engine.close();
        database.close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(sql))
                    .as("rows changed by %s", sql)
                    .isPositive();
        }
    }

    private void assertClean() {
        assertThat(engine.verify(ALL_AT_ONCE).findings()).isEmpty();
    }

    @Test
    @DisplayName("counts of edges that are too high, too low or lost")
    void counts() throws SQLException {
        execute("UPDATE feedkit_follow_count SET followers = 7 WHERE user_id = 'bob'");
        execute("UPDATE feedkit_follow_count SET followees = 0 WHERE user_id = 'ann'");
        VerifyReport found = engine.verify(ALL_AT_ONCE);
        assertThat(found.counts()).containsOnlyKeys(FindingKind.FOLLOW_COUNT_WRONG);
        assertThat(found.findings())
                .extracting(Finding::sentence)
                .anySatisfy(sentence -> assertThat(sentence)
                        .isEqualTo("User bob has 2 followers and 0 followees, but the stored counts are 7 and 0."));
        assertThat(engine.verify(ALL_AT_ONCE.repair(true)).findings())
                .hasSize(2)
                .allMatch(finding -> finding.repair() == Repair.DONE);
        assertThat(engine.followCounts("bob")).isEqualTo(new FollowCounts(2, 0));
        assertThat(engine.followCounts("ann")).isEqualTo(new FollowCounts(0, 1));
        assertClean();
    }

    @Test
    @DisplayName("a count of a user without edges")
    void countWithoutEdges() throws SQLException {
        execute("INSERT INTO feedkit_follow_count (user_id, followers, followees) VALUES ('ghost', 3, 0)");
        assertThat(engine.verify(ALL_AT_ONCE.repair(true)).counts()).containsOnlyKeys(FindingKind.FOLLOW_COUNT_WRONG);
        assertThat(engine.followCounts("ghost")).isEqualTo(new FollowCounts(0, 0));
        assertClean();
    }

    @Test
    @DisplayName("a settled mark that does not wait for an unfinished push")
    void settledMark() throws SQLException {
        engine.publish("bob", "p2");
        execute("UPDATE feedkit_task SET unsettled_at = NULL WHERE state = 'WAITING'");
        database.clock().advance(Duration.ofSeconds(5));
        assertThat(engine.verify(ALL_AT_ONCE).counts())
                .containsOnlyKeys(FindingKind.SETTLED_MARK_TOO_HIGH, FindingKind.POST_MISSING);
        assertThat(engine.verify(ALL_AT_ONCE.repair(true)).findings())
                .extracting(Finding::repair)
                .containsExactly(Repair.LEFT_TO_WORKERS, Repair.DONE);
        engine.fanout().drain();
        assertClean();
    }

    @Test
    @DisplayName("a task for a post that never existed, and that no worker may claim for a day")
    void taskWithoutPost() throws SQLException {
        long now = database.clock().millis();
        String columns = "kind, author, oldest_at, oldest_id, newest_at, newest_id, range_below, created_at, due_at,"
                + " unsettled_at";
        execute(("INSERT INTO feedkit_task (" + columns + ") VALUES ('PUSH', 'bob', %1$d, 'gone', %1$d, 'gone', '%2$s',"
                        + " %1$d, %3$d, %1$d)")
                .formatted(now, KeyRange.END, now + Duration.ofDays(1).toMillis()));
        VerifyReport found = engine.verify(ALL_AT_ONCE);
        assertThat(found.counts()).containsOnlyKeys(FindingKind.TASK_WITHOUT_POST);
        assertThat(found.findings().get(0).post()).hasValue("gone");
        assertThat(engine.verify(ALL_AT_ONCE.repair(true)).findings())
                .extracting(Finding::repair)
                .containsExactly(Repair.LEFT_TO_WORKERS);
        engine.fanout().drain();
        assertThat(engine.fanout().backlog().tasks()).isZero();
        assertClean();
    }

    @Test
    @DisplayName("entries of inboxes that were deleted by hand")
    void lostEntries() throws SQLException {
        execute("DELETE FROM feedkit_inbox_entry WHERE reader = 'ann'");
        assertThat(engine.verify(ALL_AT_ONCE.repair(true)).counts()).containsOnlyKeys(FindingKind.POST_MISSING);
        assertClean();
        assertThat(engine.read("ann", PageRequest.first(5)).items()).hasSize(1);
    }
}
