package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

class SqlServerTest {

    @Nested
    class Postgres extends Contract {
        Postgres() {
            super(PostgresServer::start, PostgresServer::shared, "SHOW fsync", "on", "off");
        }

        @Test
        @DisplayName("leaves no shared memory when it is killed and closed")
        void sharedMemory() throws Exception {
            PostgresServer server = PostgresServer.start(Durability.FAST);
            ProcessHandle process = Processes.server(server.port());
            assertThat(Processes.sharedMemory(process)).isNotEmpty();
            server.kill();
            server.close();
            assertThat(Processes.sharedMemory(process)).isEmpty();
        }

        @Test
        @DisplayName("stops with all its processes while frozen, and answers when thawed")
        void frozen() throws Exception {
            try (PostgresServer server = PostgresServer.start(Durability.FAST)) {
                String url = server.createDatabase();
                ProcessHandle process = Processes.server(server.port());
                assertThat(Processes.family(process)).hasSizeGreaterThan(1);
                server.freeze();
                await().untilAsserted(() -> assertThat(Processes.family(process))
                        .filteredOn(Processes::runs) // a backend that just ended is not reaped
                        .allMatch(Processes::isStopped));
                server.thaw();
                assertThat(Sql.answer(url, "SELECT 1")).isEqualTo("1");
            }
        }
    }

    @Nested
    class MariaDb extends Contract {
        MariaDb() {
            super(MariaDbServer::start, MariaDbServer::shared, "SELECT @@innodb_flush_log_at_trx_commit", "1", "0");
        }
    }

    @Nested
    @Tag("matrix")
    @EnabledIf(
            value = "io.feedkit.testservers.MySqlServer#isAvailable",
            disabledReason = "MySqlServer.whyUnavailable() tells what this machine lacks")
    class MySql extends Contract {
        MySql() {
            super(MySqlServer::start, MySqlServer::shared, "SELECT @@innodb_flush_log_at_trx_commit", "1", "0");
        }
    }

    abstract static class Contract {

        private final Supplier<SqlServer> start;
        private final Supplier<SqlServer> shared;
        private final String durability;
        private final String durable;
        private final String fast;

        Contract(
                Supplier<SqlServer> start, Supplier<SqlServer> shared, String durability, String durable, String fast) {
            this.start = start;
            this.shared = shared;
            this.durability = durability;
            this.durable = durable;
            this.fast = fast;
        }

        @Test
        @DisplayName("is gone when killed, and has what was committed when restarted on its port")
        void killed() throws Exception {
            try (SqlServer server = start.get()) {
                String url = server.createDatabase();
                assertThat(Sql.answer(url, durability)).isEqualTo(durable);
                Sql.execute(url, "CREATE TABLE notes (note VARCHAR(100))");
                List<ProcessHandle> killed = new ArrayList<>();
                try (Connection open = DriverManager.getConnection(url);
                        Statement sql = open.createStatement()) {
                    sql.execute("INSERT INTO notes VALUES ('käse 🧀')");
                    sql.execute("BEGIN");
                    sql.execute("INSERT INTO notes VALUES ('never committed')");
                    killed.addAll(Processes.family(Processes.server(server.port())));
                    server.kill();
                }
                await().untilAsserted(() -> assertThat(killed).noneMatch(Processes::runs));
                assertThat(server.isRunning()).isFalse();
                assertThatThrownBy(() -> Sql.answer(url, "SELECT 1")).isInstanceOf(SQLException.class);

                server.restart();
                assertThat(server.isRunning()).isTrue();
                assertThat(Sql.answer(url, "SELECT note FROM notes")).isEqualTo("käse 🧀");
                assertThat(Sql.answer(url, "SELECT COUNT(*) FROM notes")).isEqualTo("1");
                assertThat(server.createDatabase()).isNotEqualTo(url);
            }
        }

        @Test
        @DisplayName("leaves no process and no directory when closed")
        void closed() throws Exception {
            SqlServer server = start.get();
            ProcessHandle process = Processes.server(server.port());
            List<ProcessHandle> family = Processes.family(process);
            Path home = Processes.workingDirectory(process).getParent();
            assertThat(home).isDirectory();

            server.close();
            server.close();

            await().untilAsserted(() -> assertThat(family).noneMatch(Processes::runs));
            assertThat(home).doesNotExist();
            assertThatThrownBy(server::restart).hasMessage("this server is closed");
        }

        @Test
        @DisplayName("is fast when shared, listens on the loopback address only, and is nobody's to kill")
        void sharedServer() throws Exception {
            SqlServer server = shared.get();
            assertThat(shared.get()).isSameAs(server);
            String url = server.createDatabase();
            assertThat(Sql.answer(url, durability)).isEqualTo(fast);
            await().untilAsserted(() -> assertThat(Processes.listeningAddresses(Processes.server(server.port())))
                    .containsExactly(String.format("0100007F:%04X", server.port())));

            assertThatThrownBy(server::kill).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(server::restart).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(server::close).isInstanceOf(IllegalStateException.class);
            assertThat(Sql.answer(url, "SELECT 1")).isEqualTo("1");
        }
    }
}
