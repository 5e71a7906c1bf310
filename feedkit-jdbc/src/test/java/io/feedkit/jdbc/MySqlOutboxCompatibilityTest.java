package io.feedkit.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("docker")
class MySqlOutboxCompatibilityTest extends OutboxOnDatabase {
    MySqlOutboxCompatibilityTest() {
        super(MySqlDatabase.empty());
    }
}
