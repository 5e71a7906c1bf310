package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.health.StoreDescription;
import io.feedkit.redis.internal.check.ServerCheck;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@DisplayName("What a host learns at start")
@Timeout(300)
class StartTest {

    private static final String USABLE = "redis_version:7.2.4\r\nrole:master\r\n";

    private final Logger logger = (Logger) LoggerFactory.getLogger(ServerCheck.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    private static List<String> inboxWarnings(String uri) {
        try (RedisInboxes inboxes = RedisInboxes.create(RedisServers.at(uri))) {
            return inboxes.warnings();
        }
    }

    private static List<String> storeWarnings(String uri) {
        try (RedisFeedStore store = RedisFeedStore.create(RedisServers.at(uri))) {
            return store.warnings();
        }
    }

    @Test
    @DisplayName("says what endangers the source of truth, in one line of the log and as a list; inboxes do not mind")
    void warnings() {
        lines.start();
        logger.addAppender(lines);
        try (RedisServer server = RedisServer.start(Durability.FAST, "--maxmemory-policy", "allkeys-lru")) {
            assertThat(inboxWarnings(server.uri())).isEmpty();
            assertThat(lines.list).isEmpty();
            List<String> warnings = storeWarnings(server.uri());
            assertThat(warnings)
                    .satisfiesExactly(
                            one -> assertThat(one).contains("maxmemory-policy is allkeys-lru"),
                            one -> assertThat(one).contains("nothing is written to the disk"));
            assertThat(lines.list)
                    .singleElement()
                    .satisfies(line -> assertThat(line.getFormattedMessage()).contains(warnings));
        } finally {
            logger.detachAppender(lines);
        }
    }

    @Test
    @DisplayName("is a part of the description of a store and of inboxes, which name the server without its password")
    void describes() {
        try (RedisServer server = RedisServer.start(Durability.FAST)) {
            server.ask("CONFIG", "SET", "requirepass", "secret");
            String uri = server.uri().replace("redis://", "redis://:secret@");
            try (RedisFeedStore store = RedisFeedStore.create(RedisServers.at(uri));
                    RedisInboxes inboxes = RedisInboxes.builder(RedisServers.at(uri))
                            .prefix("others")
                            .build()) {
                assertThat(store.describe()).singleElement().satisfies(all -> {
                    assertThat(all.place()).startsWith("Redis at 127.0.0.1:").endsWith(", keys feedkit:*");
                    assertThat(all.dangers()).isEqualTo(store.warnings()).isNotEmpty();
                    assertThat(all.data()).hasSize(4);
                });
                assertThat(inboxes.describe()).singleElement().satisfies(part -> {
                    assertThat(part.data()).containsExactly(StoreDescription.Data.INBOXES);
                    assertThat(part.toString()).contains("keys others:*").doesNotContain("secret");
                });
            }
        }
    }

    @Test
    @DisplayName("is nothing if all is well")
    void nothing() {
        try (RedisServer server = RedisServer.start(Durability.DURABLE)) {
            assertThat(storeWarnings(server.uri())).isEmpty();
            assertThat(inboxWarnings(server.uri())).isEmpty();
        }
    }

    @Test
    @DisplayName("is that a user may not ask, who can use the store all the same")
    void forbidden() {
        try (RedisServer server = RedisServer.start(Durability.DURABLE)) {
            server.ask(
                    "ACL", "SETUSER", "feeds", "on", ">secret", "~feedkit:*", "+@all", "-config", "-info", "-cluster");
            String uri = server.uri().replace("redis://", "redis://feeds:secret@");
            try (RedisFeedStore store = RedisFeedStore.create(RedisServers.at(uri));
                    FeedEngine feed = FeedEngine.builder(store).build()) {
                assertThat(store.warnings()).singleElement().asString().contains("INFO is refused");
                feed.follow("ann", "bob");
                feed.publish("bob", "p1");
                assertThat(feed.read("ann", PageRequest.first(10)).items()).hasSize(1);
            }
            assertThat(inboxWarnings(uri)).singleElement().asString().contains("INFO is refused");
        }
    }

    @Test
    @DisplayName("is what a server does not say of itself, which is not taken for dangerous")
    void silent() throws IOException {
        try (FakeServer server = hosted(USABLE, "-ERR Command is not available: 'CONFIG'\r\n")) {
            assertThat(storeWarnings(server.uri()))
                    .satisfiesExactly(
                            one -> assertThat(one).contains("INFO does not show maxmemory_policy"),
                            one -> assertThat(one).contains("INFO does not show aof_enabled"));
        }
        String durable = USABLE + "aof_enabled:1\r\nmaxmemory_policy:noeviction\r\n";
        for (String config :
                List.of("-ERR Command is not available: 'CONFIG'\r\n", "*0\r\n", "*2\r\n$1\r\nx\r\n*0\r\n")) {
            try (FakeServer server = hosted(durable, config)) {
                assertThat(storeWarnings(server.uri()))
                        .singleElement()
                        .asString()
                        .contains("CONFIG GET is refused");
            }
        }
        try (FakeServer server = hosted(durable.replace("aof_enabled:1", "aof_enabled:0"), "*0\r\n")) {
            assertThat(storeWarnings(server.uri())).singleElement().asString().contains("appendonly is no");
        }
    }

    /** A hosted server, whose customers may not see the settings. */
    private static FakeServer hosted(String info, String config) throws IOException {
        return FakeServer.answering(command -> switch (command) {
            case "INFO" -> FakeServer.bulk(info);
            case "CONFIG" -> config;
            case "PING" -> "+PONG\r\n";
            case "EVALSHA" -> FakeServer.bulk("inbox 1, truth 1");
            default -> "-ERR unknown command `" + command + "`, with args beginning with: \r\n";
        });
    }
}
