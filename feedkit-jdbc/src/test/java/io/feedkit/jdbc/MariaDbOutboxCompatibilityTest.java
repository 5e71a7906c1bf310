package io.feedkit.jdbc;

class MariaDbOutboxCompatibilityTest extends OutboxOnDatabase {
    MariaDbOutboxCompatibilityTest() {
        super(TestDatabase.mariaDb());
    }
}
