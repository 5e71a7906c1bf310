package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.testservers.HostModule;
import io.feedkit.testservers.RedisServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A module that requires io.feedkit.redis")
class ModuleTest {

    /** What a host needs beside FeedKit's modules. */
    private static final List<String> JARS = List.of(
            "jspecify",
            "slf4j-api",
            "lettuce-core",
            "redis-authx-core",
            "netty-.*",
            "reactor-core",
            "reactive-streams");

    @TempDir
    private Path directory;

    private HostModule host() {
        return new HostModule(
                directory, List.of("io.feedkit.redis"), List.of(FeedEngine.class, RedisInboxes.class), JARS);
    }

    @Test
    @Timeout(300)
    @DisplayName("compiles against the API, and publishes and reads in a JVM that has it on the module path")
    void runs() {
        assertThat(host().run("""
                package host.app;

                import io.feedkit.*;
                import io.feedkit.memory.InMemoryFeedStore;
                import io.feedkit.redis.RedisInboxes;
                import io.feedkit.redis.RedisServers;
                import io.feedkit.spi.FeedStore;
                import io.lettuce.core.RedisURI;

                public class Main {
                    public static void main(String[] arguments) {
                        FeedStore truth = InMemoryFeedStore.create();
                        RedisServers servers = RedisServers.at(RedisURI.create("%s"));
                        try (RedisInboxes inboxes = RedisInboxes.builder(servers).prefix("module").build();
                                FeedEngine feed = FeedEngine.builder(FeedStore.of(
                                                truth.outbox(), inboxes::inbox, truth.graph(), truth.seenMarks()))
                                        .workers(0).build()) {
                            feed.follow("ann", "bob");
                            feed.publish(Post.of("bob", "kept", 1));
                            feed.fanout().drain();
                            System.out.println("read "
                                    + feed.read("ann", PageRequest.first(9)).items().stream().map(Post::id).toList()
                                    + " in " + Main.class.getModule() + " from " + inboxes.getClass().getModule());
                        }
                    }
                }
                """.formatted(RedisServer.shared().uri()), "read"))
                .isEqualTo("read [kept] in module host.app from module io.feedkit.redis");
    }

    @Test
    @DisplayName("cannot see the internals")
    void internals() {
        assertThat(host().compileMentionOf("io.feedkit.redis.internal.call.RedisLink"))
                .contains("package io.feedkit.redis.internal.call is not visible");
    }
}
