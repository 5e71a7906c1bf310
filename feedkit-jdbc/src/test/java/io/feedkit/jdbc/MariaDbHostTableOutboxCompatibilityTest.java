package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;

class MariaDbHostTableOutboxCompatibilityTest extends OutboxOnDatabase {
    MariaDbHostTableOutboxCompatibilityTest() {
        super(HostTable.create(TestDatabase.mariaDb(), Kind.MARIADB));
    }
}
