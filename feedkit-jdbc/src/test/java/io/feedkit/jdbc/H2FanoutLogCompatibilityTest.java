package io.feedkit.jdbc;

class H2FanoutLogCompatibilityTest extends LogOnDatabase {
    H2FanoutLogCompatibilityTest() {
        super(TestDatabase.h2());
    }
}
