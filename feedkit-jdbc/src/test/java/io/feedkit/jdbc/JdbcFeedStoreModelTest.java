package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.model.FeedStoreModelKit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases(allCases = Kind.POSTGRESQL)
class JdbcFeedStoreModelTest extends FeedStoreModelKit {

    private final Kind kind;
    private final TestStores stores;

    JdbcFeedStoreModelTest(Kind kind) {
        this.kind = kind;
        this.stores = new TestStores(kind);
    }

    @Override
    protected FeedStore emptyStore(SettableClock clock) {
        return stores.empty(clock);
    }

    /**
     * A run takes half a second, most of it for the feeds that are read at its end. So by default there
     * are fewer runs than in memory.
     */
    @Override
    protected int seeds() {
        return Integer.getInteger("feedkit.model.seeds", 5);
    }

    @Override
    protected int moreSeeds() {
        return Integer.getInteger("feedkit.model.moreSeeds", 15);
    }

    /**
     * Each database runs its own seeds. Most of the code is the same for all databases, so different seeds find more.
     */
    @Override
    protected long firstSeed() {
        return Long.getLong(
                "feedkit.model.firstSeed", 1 + 1000L * List.of(Kind.values()).indexOf(kind));
    }

    @AfterEach
    void close() {
        stores.close();
    }
}
