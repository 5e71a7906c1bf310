package io.feedkit.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("docker")
class MySqlFanoutLogCompatibilityTest extends LogOnDatabase {
    MySqlFanoutLogCompatibilityTest() {
        super(MySqlDatabase.empty());
    }
}
