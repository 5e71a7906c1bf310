package io.feedkit.jdbc;

class MariaDbPulledRegisterCompatibilityTest extends RegisterOnDatabase {
    MariaDbPulledRegisterCompatibilityTest() {
        super(TestDatabase.mariaDb());
    }
}
