package io.feedkit.jdbc;

class PostgresPulledRegisterCompatibilityTest extends RegisterOnDatabase {
    PostgresPulledRegisterCompatibilityTest() {
        super(TestDatabase.postgres());
    }
}
