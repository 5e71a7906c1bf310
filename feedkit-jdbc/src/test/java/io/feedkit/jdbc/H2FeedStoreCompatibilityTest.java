package io.feedkit.jdbc;

class H2FeedStoreCompatibilityTest extends StoreOnDatabase {
    H2FeedStoreCompatibilityTest() {
        super(TestDatabase.h2());
    }
}
