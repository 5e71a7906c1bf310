package io.feedkit.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("docker")
class MySqlPulledRegisterCompatibilityTest extends RegisterOnDatabase {
    MySqlPulledRegisterCompatibilityTest() {
        super(MySqlDatabase.empty());
    }
}
