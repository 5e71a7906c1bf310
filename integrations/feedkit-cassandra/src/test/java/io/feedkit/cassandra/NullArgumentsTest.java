package io.feedkit.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.feedkit.testkit.internal.NullArguments;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@OnCassandra
class NullArgumentsTest {

    @Test
    @DisplayName("null is refused by the argument's name, in every public method of what talks to Cassandra")
    void cassandra() {
        try (CqlSession session = TestCassandra.openShared()) {
            NullArguments cassandra = NullArguments.ofModuleOf(CassandraInboxCopies.class)
                    .with(CqlSession.class, () -> session)
                    .with(
                            CassandraInboxCopies.class,
                            () -> TestCassandra.builder(session, TestCassandra.newPrefix())
                                    .build());
            assertThat(cassandra.violations()).isEmpty();
            assertThat(cassandra.checked()).isGreaterThan(5);
        }
    }
}
