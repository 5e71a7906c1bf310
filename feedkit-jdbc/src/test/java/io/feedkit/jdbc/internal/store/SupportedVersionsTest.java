package io.feedkit.jdbc.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.jdbc.internal.sql.Dialect;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SupportedVersionsTest {

    @ParameterizedTest
    @CsvSource({
        "H2, 2.3.232 (2024-08-11)",
        "H2, 2.5.252 (2026-01-01)",
        "H2, 3.0.1",
        "POSTGRESQL, 15",
        "POSTGRESQL, 15.0",
        "POSTGRESQL, 15.20 (Debian 15.20-0+deb12u1)",
        "POSTGRESQL, 18.6",
        "POSTGRESQL, 19beta1",
        "POSTGRESQL, 100.1",
        "POSTGRESQL, devel",
        "MYSQL, 8.0.14",
        "MYSQL, 8.0.15",
        "MYSQL, 8.0.36-0ubuntu0.22.04.1",
        "MYSQL, 8.4.0",
        "MYSQL, 26.10.0",
        "MARIADB, 10.11.0-MariaDB",
        "MARIADB, 10.11.19-MariaDB-0+deb12u1",
        "MARIADB, 5.5.5-10.11.6-MariaDB",
        "MARIADB, 11.4.5-MariaDB",
        "MARIADB, 12.0"
    })
    @DisplayName("supported versions")
    void newEnough(Dialect dialect, String version) {
        assertThat(SupportedVersions.tooOld(dialect, version)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "H2, 1.4.200 (2019-10-14), H2 2.3.232 or later",
        "H2, 2.2.224 (2023-09-17), H2 2.3.232 or later",
        "H2, 2.3, H2 2.3.232 or later",
        "POSTGRESQL, 14.19, PostgreSQL 15 or later",
        "POSTGRESQL, 9.6.24, PostgreSQL 15 or later",
        "POSTGRESQL, 14devel, PostgreSQL 15 or later",
        "MYSQL, 8.0.13, MySQL 8.0.14 or later",
        "MYSQL, 5.7.44-log, MySQL 8.0.14 or later",
        "MARIADB, 10.6.22-MariaDB, MariaDB 10.11 or later",
        "MARIADB, 5.5.5-10.6.22-MariaDB, MariaDB 10.11 or later",
        "MARIADB, 10.2, MariaDB 10.11 or later",
        "MARIADB, 5.5.68-MariaDB, MariaDB 10.11 or later"
    })
    @DisplayName("versions that are too old, and the versions that are needed")
    void tooOld(Dialect dialect, String version, String needed) {
        assertThat(SupportedVersions.tooOld(dialect, version)).contains(needed);
    }
}
