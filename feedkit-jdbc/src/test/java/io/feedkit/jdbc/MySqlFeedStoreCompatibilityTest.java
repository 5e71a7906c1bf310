package io.feedkit.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("docker")
class MySqlFeedStoreCompatibilityTest extends StoreOnDatabase {
    MySqlFeedStoreCompatibilityTest() {
        super(MySqlDatabase.empty());
    }
}
