package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** It stands here because the tests of feedkit-core cannot use {@link HostModule}, which depends on feedkit-core. */
@DisplayName("A module that requires io.feedkit.core")
class CoreModuleTest {

    @TempDir
    private Path directory;

    private HostModule host() {
        return new HostModule(
                directory, List.of("io.feedkit.core"), List.of(FeedEngine.class), List.of("jspecify", "slf4j-api"));
    }

    @Test
    @Timeout(300)
    @DisplayName("compiles against the whole API, and publishes and reads in a JVM that has it on the module path")
    void runs() {
        assertThat(host().run("""
                        package host.app;

                        import io.feedkit.*;
                        import io.feedkit.event.FeedListener;
                        import io.feedkit.fanout.FanoutPolicy;
                        import io.feedkit.memory.InMemoryFeedStore;
                        import io.feedkit.spi.FeedStore;

                        public class Main {
                            public static void main(String[] arguments) {
                                FeedStore store = InMemoryFeedStore.create();
                                try (FeedEngine feed = FeedEngine.builder(store)
                                        .policy(FanoutPolicy.hybrid(2))
                                        .listener(FeedListener.NONE)
                                        .workers(0)
                                        .build()) {
                                    feed.follow("ann", "bob");
                                    feed.publish("bob", "hello");
                                    feed.fanout().drain();
                                    System.out.println("read "
                                            + feed.read("ann", PageRequest.first(1)).items().get(0).id()
                                            + " in " + Main.class.getModule() + " from " + feed.getClass().getModule());
                                }
                            }
                        }
                        """, "read")).isEqualTo("read hello in module host.app from module io.feedkit.core");
    }

    @Test
    @DisplayName("cannot see the internals")
    void internals() {
        assertThat(host().compileMentionOf("io.feedkit.internal.read.FeedReader"))
                .contains("package io.feedkit.internal.read is not visible");
    }

    @Test
    @DisplayName("finds every package of the core exported but the internals")
    void exports() throws Exception {
        Path core = Path.of(FeedEngine.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ModuleReference module = ModuleFinder.of(core).find("io.feedkit.core").orElseThrow();
        Set<String> exported = module.descriptor().exports().stream()
                .filter(export -> !export.isQualified())
                .map(export -> export.source())
                .collect(Collectors.toSet());
        assertThat(exported).isEqualTo(publicPackages(module));
    }

    private static Set<String> publicPackages(ModuleReference module) throws IOException {
        try (ModuleReader reader = module.open();
                Stream<String> files = reader.list()) {
            return files.filter(file -> file.endsWith(".class") && file.contains("/"))
                    .map(file -> file.substring(0, file.lastIndexOf('/')).replace('/', '.'))
                    .filter(name -> !name.startsWith("io.feedkit.internal."))
                    .collect(Collectors.toSet());
        }
    }
}
