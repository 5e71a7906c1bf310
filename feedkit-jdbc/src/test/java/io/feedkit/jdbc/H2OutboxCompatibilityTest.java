package io.feedkit.jdbc;

class H2OutboxCompatibilityTest extends OutboxOnDatabase {
    H2OutboxCompatibilityTest() {
        super(TestDatabase.h2());
    }
}
