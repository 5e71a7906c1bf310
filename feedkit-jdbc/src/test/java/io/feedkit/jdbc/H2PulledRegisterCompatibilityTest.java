package io.feedkit.jdbc;

class H2PulledRegisterCompatibilityTest extends RegisterOnDatabase {
    H2PulledRegisterCompatibilityTest() {
        super(TestDatabase.h2());
    }
}
