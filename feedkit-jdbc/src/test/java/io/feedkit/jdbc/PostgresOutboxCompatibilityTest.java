package io.feedkit.jdbc;

class PostgresOutboxCompatibilityTest extends OutboxOnDatabase {
    PostgresOutboxCompatibilityTest() {
        super(TestDatabase.postgres());
    }
}
