package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.Post;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.outbox.JdbcOutbox;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.QueueStatus;
import io.feedkit.spi.Outbox.Publication;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;

/** Cases that the kit of the log does not cover: many rows, and texts of failures. */
class LogRowsTest {

    static final int TASKS = 4_500;

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("a reason is stored with illegal characters escaped, and is cut between characters")
    void reasons(TestDatabase.Kind kind) {
        try (TestDatabase test = TestDatabase.of(kind)) {
            JdbcFanoutLog log = new JdbcFanoutLog(test.database());
            new JdbcOutbox(test.database(), log)
                    .append(List.of(new Publication(Post.of("bob", "1", 1), FanoutMode.PUSH)));
            String emoji = "😀";
            String reason = "bad " + (char) 0 + emoji + emoji.charAt(0) + " x";
            Claim claim = log.claim(1, 1000).get(0);
            assertThat(log.fail(List.of(new Failure(claim, reason, 0)))).containsExactly(true);
            Claim again = log.claim(1, 1000).get(0);
            assertThat(log.moveToDeadLetters(again, 1, reason + emoji.repeat(1000)))
                    .isTrue();
            assertThat(log.dead("", 10))
                    .singleElement()
                    .satisfies(dead -> assertThat(dead.reason())
                            .hasSizeBetween(499, 500)
                            .startsWith("bad \\u0000" + emoji + "\\uD83D x" + emoji)
                            .endsWith(emoji));
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("the imported posts of an author have one task, which ages nothing")
    void imports(TestDatabase.Kind kind) {
        try (TestDatabase test = TestDatabase.of(kind)) {
            JdbcFanoutLog log = new JdbcFanoutLog(test.database());
            JdbcOutbox outbox = new JdbcOutbox(test.database(), log);
            outbox.appendImported(posts("bob", 30), FanoutMode.PUSH);
            outbox.appendImported(posts("amy", 30), FanoutMode.PULL);
            assertThat(log.unfinishedByKind()).isEqualTo(Map.of(Kind.IMPORT, 1L, Kind.PULL, 1L));
            assertThat(log.invisibleSince()).isZero();
        }
    }

    private static List<Post> posts(String author, int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> Post.of(author, "p" + n, n))
                .toList();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("many tasks are restarted in chunks")
    void restartInChunks(TestDatabase.Kind kind) throws Exception {
        try (TestDatabase test = TestDatabase.of(kind);
                Connection other = test.dataSource().getConnection()) {
            Database database = test.database();
            JdbcFanoutLog log = new JdbcFanoutLog(database);
            finished(database, test.clock().millis());
            other.setAutoCommit(false);
            CompletableFuture<Integer> restarting;
            try (Statement statement = other.createStatement()) {
                statement.execute("SELECT id FROM feedkit_task ORDER BY id DESC LIMIT 1 FOR UPDATE");
                restarting =
                        CompletableFuture.supplyAsync(() -> log.restart(0, 0).orElseThrow());
                try {
                    await().untilAsserted(() -> assertThat(waiting(database)).isPositive());
                } finally {
                    other.rollback();
                    other.setAutoCommit(true);
                }
            }
            assertThat(restarting.get(60, TimeUnit.SECONDS)).isEqualTo(TASKS);
            assertThat(waiting(database)).isEqualTo(TASKS);
            assertThat(log.restart(0, 0)).hasValue(0);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("a task that finishes while its chunk is restarted begins again")
    void finishedDuringRestart(TestDatabase.Kind kind) {
        try (TestDatabase test = TestDatabase.of(kind)) {
            JdbcFanoutLog log = new JdbcFanoutLog(test.database());
            new JdbcOutbox(test.database(), log)
                    .append(List.of(new Publication(Post.of("bob", "1", 1), FanoutMode.PUSH)));
            Claim claim = log.claim(1, 60_000).get(0);
            List<CompletableFuture<List<Boolean>>> finishing = new ArrayList<>();
            AtomicInteger updates = new AtomicInteger();
            DataSource watched = TestDataSources.before(test.dataSource(), (method, arguments) -> {
                if (method.equals("prepareStatement")
                        && String.valueOf(arguments[0]).contains("after_id = ''")
                        && updates.incrementAndGet() == 2) {
                    CompletableFuture<List<Boolean>> finish =
                            CompletableFuture.supplyAsync(() -> log.finish(List.of(claim), 60_000));
                    finishing.add(finish);
                    // The finish waits for the restart if the restart has already locked the row.
                    finish.completeOnTimeout(List.of(), 2, TimeUnit.SECONDS).join();
                }
            });
            assertThat(new JdbcFanoutLog(test.database(watched)).restart(1, 0)).isPresent();
            assertThat(finishing).hasSize(1);
            await().until(() -> finishing.get(0).isDone());
            assertThat(log.claim(1, 1000)).hasSize(1);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("many tasks are lent up to the window, and loans in any order and number are taken and returned")
    void manyLoans(TestDatabase.Kind kind) {
        try (TestDatabase test = TestDatabase.of(kind)) {
            JdbcFanoutLog log = new JdbcFanoutLog(test.database());
            finished(test.database(), test.clock().millis());
            assertThat(log.restart(0, 0)).hasValue(TASKS);
            List<Loan> loans = new ArrayList<>();
            log.lend(TASKS, 60_000, 1_200).forEach(lent -> loans.add(lent.loan()));
            assertThat(loans).hasSize(1_200);
            assertThat(log.lend(TASKS, 60_000, 1_000)).isEmpty();
            Collections.shuffle(loans, new Random(1));
            List<Loan> taken = loans.subList(0, 1_000);
            List<Loan> twice = Stream.concat(taken.stream(), taken.stream()).toList();
            List<Claim> claims =
                    log.take(twice, 60_000).stream().flatMap(Optional::stream).toList();
            assertThat(claims)
                    .extracting(claim -> claim.task().id())
                    .containsExactlyElementsOf(taken.stream().map(Loan::taskId).toList());
            assertThat(log.finish(claims, 60_000)).doesNotContain(false);
            List<Boolean> returned = log.returnLoans(loans);
            assertThat(returned.subList(0, 1_000)).containsOnly(false);
            assertThat(returned.subList(1_000, 1_200)).containsOnly(true);
            assertThat(log.queueStatus()).isEqualTo(new QueueStatus(TASKS - 1_000, 0, 0, 0));
        }
    }

    static long waiting(Database database) {
        return database.read(
                "test.count",
                handle -> handle.createQuery(database.sql("SELECT count(*) FROM ${task} WHERE state = 'WAITING'"))
                        .mapTo(Long.class)
                        .one());
    }

    static void finished(Database database, long now) {
        database.transaction("test.insert", handle -> {
            PreparedBatch batch = handle.prepareBatch(database.sql("""
                    INSERT INTO ${task} (kind, author, oldest_at, oldest_id, newest_at, newest_id, range_below,
                           created_at, state, ended_at, forget_at)
                    VALUES ('PUSH', :author, 1, 'a', 1, 'a', '~~', 1, 'FINISHED', :now, :forget)"""));
            for (int i = 0; i < TASKS; i++) {
                batch.bind("author", "author-" + i)
                        .bind("now", now)
                        .bind("forget", now + 1_000_000)
                        .add();
            }
            return batch.execute().length;
        });
    }
}
