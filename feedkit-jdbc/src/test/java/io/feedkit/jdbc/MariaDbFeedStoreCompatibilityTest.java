package io.feedkit.jdbc;

class MariaDbFeedStoreCompatibilityTest extends StoreOnDatabase {
    MariaDbFeedStoreCompatibilityTest() {
        super(TestDatabase.mariaDb());
    }
}
