package io.feedkit.jdbc;

class MariaDbFanoutLogCompatibilityTest extends LogOnDatabase {
    MariaDbFanoutLogCompatibilityTest() {
        super(TestDatabase.mariaDb());
    }
}
