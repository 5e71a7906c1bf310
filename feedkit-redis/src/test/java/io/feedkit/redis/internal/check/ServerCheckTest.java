package io.feedkit.redis.internal.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.feedkit.redis.FormatVersionException;
import io.feedkit.redis.OnPrograms;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.connection.Servers;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.slf4j.LoggerFactory;

@DisplayName("The check at start")
class ServerCheckTest {

    private static final Set<FormatComponent> INBOXES = Set.of(FormatComponent.INBOX);
    private static final Set<FormatComponent> ALL = Set.of(FormatComponent.INBOX, FormatComponent.SOURCE_OF_TRUTH);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static List<String> check(String uri, String prefix, Set<FormatComponent> parts) {
        try (RedisLink link = RedisLink.open(Servers.of(uri), Optional.empty(), TIMEOUT)) {
            return ServerCheck.run(link, prefix, parts);
        }
    }

    @Nested
    @DisplayName("of the formats under a prefix")
    class Formats {

        private static final String KEY = "checked:{t0}:format";

        private final RedisServer server = RedisServer.start(Durability.FAST);

        @AfterEach
        void close() {
            server.close();
        }

        @Test
        @DisplayName("notes the parts that are kept there, the first time")
        void noted() {
            check(server.uri(), "checked", INBOXES);
            assertThat(server.ask("HGETALL", KEY)).isEqualTo("inbox\n1");
            check(server.uri(), "checked", ALL);
            check(server.uri(), "checked", ALL);
            check(server.uri(), "checked", INBOXES);
            assertThat(server.ask("HGET", KEY, "truth")).isEqualTo("1");
            assertThat(server.ask("HLEN", KEY)).isEqualTo("2");
        }

        @Test
        @DisplayName("refuses another version, and changes nothing")
        void otherVersion() {
            server.ask("HSET", KEY, "inbox", "2");
            for (Set<FormatComponent> parts : List.of(INBOXES, ALL)) {
                assertThatThrownBy(() -> check(server.uri(), "checked", parts))
                        .isInstanceOfSatisfying(FormatVersionException.class, e -> {
                            assertThat(e.key()).isEqualTo(KEY);
                            assertThat(e.found()).startsWith("inbox 2");
                            assertThat(e.expected()).startsWith("inbox 1");
                            assertThat(e.isRetryable()).isFalse();
                            assertThat(e).hasMessageContainingAll(KEY, "inbox 2", "inbox 1", "another prefix");
                        });
            }
            assertThat(server.ask("HGETALL", KEY)).isEqualTo("inbox\n2");
        }

        @Test
        @DisplayName("does not mind the version of a part that is not used")
        void otherPart() {
            server.ask("HSET", KEY, "truth", "2");
            check(server.uri(), "checked", INBOXES);
            assertThatThrownBy(() -> check(server.uri(), "checked", ALL))
                    .isInstanceOf(FormatVersionException.class)
                    .hasMessageContaining("truth 2");
        }

        @Test
        @DisplayName("refuses what is not FeedKit's")
        void foreign() {
            server.ask("SET", KEY, "mine");
            assertThatThrownBy(() -> check(server.uri(), "checked", INBOXES))
                    .isInstanceOf(FormatVersionException.class)
                    .hasMessageContaining("a string");
            assertThat(server.ask("GET", KEY)).isEqualTo("mine");
        }
    }

    @Nested
    @DisplayName("of the settings")
    class ParsedInfo {

        @Tag("matrix")
        @ParameterizedTest(allowZeroInvocations = true)
        @OnPrograms
        @DisplayName("warns of what may lose the source of truth, each time with the reason, on other programs")
        void truthElsewhere(RedisProgram program) {
            truth(program);
        }

        @ParameterizedTest
        @OnPrograms
        @DisplayName("warns of what may lose the source of truth, each time with the reason")
        void truth(RedisProgram program) {
            try (RedisServer server = RedisServer.start(program, Durability.FAST)) {
                assertThat(check(server.uri(), "p", ALL))
                        .singleElement()
                        .asString()
                        .contains("nothing is written to the disk", "appendonly yes");
                server.ask("CONFIG", "SET", "save", "3600 1");
                assertThat(check(server.uri(), "p", ALL))
                        .singleElement()
                        .asString()
                        .contains("since the last snapshot");
                server.ask("CONFIG", "SET", "appendonly", "yes");
                assertThat(check(server.uri(), "p", ALL)).isEmpty();
                server.ask("CONFIG", "SET", "appendfsync", "no");
                server.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lfu");
                assertThat(check(server.uri(), "p", ALL))
                        .satisfiesExactlyInAnyOrder(
                                warning -> assertThat(warning).contains("appendfsync is no"),
                                warning -> assertThat(warning)
                                        .contains("maxmemory-policy is allkeys-lfu", "kept nowhere else"));
                server.ask("CONFIG", "SET", "appendfsync", "always");
                server.ask("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
                assertThat(check(server.uri(), "p", ALL)).isEmpty();
            }
        }

        @Test
        @DisplayName("warns of any policy that evicts counters, also of those that evict only what has an expiry")
        void counters() {
            Set<FormatComponent> counters = Set.of(FormatComponent.COUNTERS);
            try (RedisServer server = RedisServer.start(Durability.DURABLE)) {
                assertThat(check(server.uri(), "p", counters)).isEmpty();
                for (String policy : List.of("volatile-lru", "allkeys-lru")) {
                    server.ask("CONFIG", "SET", "maxmemory-policy", policy);
                    assertThat(check(server.uri(), "p", counters))
                            .singleElement()
                            .asString()
                            .contains(policy, "counters are evicted", "noeviction");
                }
            }
        }

        @Test
        @DisplayName("does not mind that inboxes are lost, but that they do not give way")
        void inboxes() {
            try (RedisServer server = RedisServer.start(Durability.FAST, "--maxmemory-policy", "allkeys-lru")) {
                assertThat(check(server.uri(), "p", INBOXES)).isEmpty();
                server.ask("CONFIG", "SET", "maxmemory-policy", "noeviction");
                assertThat(check(server.uri(), "p", INBOXES)).isEmpty();
                server.ask("CONFIG", "SET", "maxmemory", "100mb");
                assertThat(check(server.uri(), "p", INBOXES))
                        .singleElement()
                        .asString()
                        .contains("noeviction", "deliveries and rebuilds fail");
            }
        }

        @Tag("matrix")
        @ParameterizedTest(allowZeroInvocations = true)
        @OnPrograms
        @DisplayName("says what it was not allowed to ask, on other programs")
        void forbiddenElsewhere(RedisProgram program) {
            forbidden(program);
        }

        @ParameterizedTest
        @OnPrograms
        @DisplayName("says what it was not allowed to ask")
        void forbidden(RedisProgram program) {
            try (RedisServer server = RedisServer.start(program, Durability.DURABLE)) {
                server.ask("ACL", "SETUSER", "default", "-config");
                assertThat(check(server.uri(), "p", ALL))
                        .singleElement()
                        .asString()
                        .contains("CONFIG GET is refused");
                assertThat(check(server.uri(), "p", INBOXES)).isEmpty();
                server.ask("ACL", "SETUSER", "default", "-info");
                assertThat(check(server.uri(), "p", INBOXES))
                        .singleElement()
                        .asString()
                        .contains("INFO is refused");
            }
            try (RedisServer server =
                    RedisServer.start(program, Durability.DURABLE, "--rename-command", "CONFIG", "")) {
                assertThat(check(server.uri(), "p", ALL))
                        .singleElement()
                        .asString()
                        .contains("CONFIG GET is refused");
            }
        }

        @Tag("matrix")
        @Test
        @DisplayName("looks at every master of a cluster, and says which one it means")
        void cluster() {
            try (RedisCluster cluster = RedisCluster.start()) {
                assertThat(check(cluster.uri(), "p", ALL)).isEmpty();
                RedisServer one = cluster.masters().get(1);
                one.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
                assertThat(check(cluster.uri(), "p", ALL))
                        .singleElement()
                        .asString()
                        .endsWith("(127.0.0.1:" + one.port() + ")");
            }
        }

        @Test
        @DisplayName("logs all of that in one line, and nothing if there is nothing")
        void logged() {
            Logger logger = (Logger) LoggerFactory.getLogger(ServerCheck.class);
            ListAppender<ILoggingEvent> lines = new ListAppender<>();
            lines.start();
            logger.addAppender(lines);
            try (RedisServer server = RedisServer.start(Durability.FAST)) {
                server.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
                check(server.uri(), "p", INBOXES);
                assertThat(lines.list).isEmpty();
                List<String> warnings = check(server.uri(), "p", ALL);
                assertThat(warnings).hasSize(2);
                assertThat(lines.list).singleElement().satisfies(line -> {
                    assertThat(line.getLevel()).isEqualTo(Level.WARN);
                    assertThat(line.getFormattedMessage()).contains(warnings).startsWith("p: ");
                });
            } finally {
                logger.detachAppender(lines);
            }
        }
    }
}
