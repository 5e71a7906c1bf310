package io.feedkit.jdbc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedkit.jdbc.TestDatabase.Kind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** All kits, and the tests of differences between databases, on the databases of the full build. */
@Tag("matrix")
class JdbcMatrixTest {

    @ParameterizedTest
    @FieldSource("io.feedkit.jdbc.Databases#MATRIX")
    @DisplayName("the database is installed; the test is skipped if it is not")
    void installed(Kind kind) {
        assumeTrue(
                kind.obstacle().isEmpty(),
                () -> kind + " cannot run: " + kind.obstacle().orElseThrow());
    }

    @Nested
    class Feeds extends JdbcFeedStoreCompatibilityTest {
        Feeds(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class Outboxes extends JdbcOutboxCompatibilityTest {
        Outboxes(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class HostTables extends HostTableOutboxCompatibilityTest {
        HostTables(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class Logs extends JdbcFanoutLogCompatibilityTest {
        Logs(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class Registers extends JdbcPulledRegisterCompatibilityTest {
        Registers(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class Inboxes extends JdbcInboxCompatibilityTest {
        Inboxes(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class Graphs extends JdbcFollowGraphCompatibilityTest {
        Graphs(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class TextFollows extends TextFollowsCompatibilityTest {
        TextFollows(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class NumberFollows extends NumberFollowsCompatibilityTest {
        NumberFollows(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class Marks extends JdbcSeenMarksCompatibilityTest {
        Marks(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class Ranks extends JdbcRankSnapshotsCompatibilityTest {
        Ranks(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class Presences extends JdbcPresenceStoreCompatibilityTest {
        Presences(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class Counters extends JdbcCounterStoreCompatibilityTest {
        Counters(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class CountersInTransactions extends CountersInTransactionTest {
        CountersInTransactions(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class Models extends JdbcFeedStoreModelTest {
        Models(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class FailingCalls extends JdbcFeedStoreFailureTest {
        FailingCalls(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class Races extends JdbcFeedStoreRaceTest {
        Races(Kind kind) {
            super(kind);
        }
    }

    @Nested
    class HostTableRows extends HostTableTest {}

    @Nested
    class PostsTables extends PostsTableTest {}

    @Nested
    class HostConnections extends HostConnectionsTest {}

    @Nested
    class AwkwardIds extends AwkwardIdsTest {}

    @Nested
    class ExpiredInboxCleanups extends ExpiredInboxCleanupTest {}

    @Nested
    class Stores extends JdbcFeedStoreTest {}

    @Nested
    class FollowCounts extends FollowCountsTest {}

    @Nested
    class StoreMaintenance extends StoreMaintenanceTest {}

    @Nested
    class Renewals extends RenewalTest {}

    @Nested
    class LogRows extends LogRowsTest {}

    @Nested
    class TransactionalPublishes extends JdbcTransactionalPublishTest {}

    @Nested
    class ReportedFollows extends ReportedFollowsTest {}

    @Nested
    class SpringTransactions extends SpringTransactionTest {}

    @Nested
    class HalfDoneBatches extends HalfDoneBatchesTest {}
}
