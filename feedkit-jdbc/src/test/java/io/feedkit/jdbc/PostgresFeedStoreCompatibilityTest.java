package io.feedkit.jdbc;

class PostgresFeedStoreCompatibilityTest extends StoreOnDatabase {
    PostgresFeedStoreCompatibilityTest() {
        super(TestDatabase.postgres());
    }
}
