package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.internal.outbox.MovedOutbox;
import org.junit.jupiter.api.Tag;

/** An outbox whose posts move to an archive in the same database between any two calls. */
@Tag("matrix")
class JdbcArchivedOutboxCompatibilityTest extends JdbcOutboxCompatibilityTest {

    JdbcArchivedOutboxCompatibilityTest(Kind kind) {
        super(kind);
    }

    @Override
    TransactionalOutbox newOutbox(Kind kind, TestDatabase database) {
        return MovedOutbox.over(
                super.newOutbox(kind, database),
                TestArchives.empty(database),
                database.clock(),
                MovedOutbox.Mover.BOTH);
    }

    /** Fewer races than usual: the writes are those of the outbox without an archive, which has its own kit. */
    @Override
    protected int rounds() {
        return 5;
    }
}
