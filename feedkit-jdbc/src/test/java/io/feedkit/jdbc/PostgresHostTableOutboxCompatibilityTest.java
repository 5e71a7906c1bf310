package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;

class PostgresHostTableOutboxCompatibilityTest extends OutboxOnDatabase {
    PostgresHostTableOutboxCompatibilityTest() {
        super(HostTable.create(TestDatabase.postgres(), Kind.POSTGRESQL));
    }
}
