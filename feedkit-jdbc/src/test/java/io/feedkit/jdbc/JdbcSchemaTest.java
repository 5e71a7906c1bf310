package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class JdbcSchemaTest {

    @Test
    void tablesAreMadeOnce() {
        try (TestDatabase database = TestDatabase.of(TestDatabase.Kind.H2)) {
            JdbcSchema schema = JdbcSchema.of(database.dataSource());
            schema.check();
            assertThat(schema.upgrade()).isEqualTo(JdbcSchema.VERSION);
            assertThatThrownBy(schema::create)
                    .isInstanceOf(SchemaVersionException.class)
                    .hasMessageContaining("upgrade()");
            schema.drop();
            assertThatThrownBy(schema::check)
                    .isInstanceOf(SchemaVersionException.class)
                    .hasMessageContaining("JdbcSchema.create()");
        }
    }
}
