package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;

class H2HostTableOutboxCompatibilityTest extends OutboxOnDatabase {
    H2HostTableOutboxCompatibilityTest() {
        super(HostTable.create(TestDatabase.h2(), Kind.H2));
    }
}
