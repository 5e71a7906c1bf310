package io.feedkit.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLSyntaxErrorException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FailuresTest {

    static Stream<SQLException> cuts() {
        return Stream.of(
                new SQLException("connection failure", "08006"),
                new SQLException("terminated by an administrator", "57P01"),
                new SQLException("without a state"),
                new SQLNonTransientConnectionException("killed", "70100", 1927),
                new SQLRecoverableException("closed", "99999"),
                new SQLException("connection is broken", "90067", 90_067),
                new SQLException("database has been closed", "90098", 90_098),
                new SQLException("database is already closed", "90121", 90_121));
    }

    @ParameterizedTest
    @MethodSource("cuts")
    @DisplayName("the answer is lost with the connection or the database")
    void cut(SQLException failure) {
        assertThat(Failures.isAnswerLost(new IllegalStateException(failure))).isTrue();
    }

    @Test
    @DisplayName("an error that the server reports is an answer")
    void reported() {
        assertThat(Failures.isAnswerLost(new SQLException("deadlock", "40001", 1213)))
                .isFalse();
        assertThat(Failures.isAnswerLost(new SQLSyntaxErrorException("no such table", "42P01")))
                .isFalse();
    }
}
