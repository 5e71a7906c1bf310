package io.feedkit.jdbc;

class PostgresFanoutLogCompatibilityTest extends LogOnDatabase {
    PostgresFanoutLogCompatibilityTest() {
        super(TestDatabase.postgres());
    }
}
