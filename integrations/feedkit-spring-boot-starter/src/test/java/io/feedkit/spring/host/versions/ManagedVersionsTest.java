package io.feedkit.spring.host.versions;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RedisClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Flux;

@DisplayName("The libraries of these tests")
class ManagedVersionsTest {

    private static final Path TABLE = Path.of("..", "..", "docs", "reference", "spring-boot.md");

    private static final Map<String, Class<?>> LIBRARIES = new LinkedHashMap<>();

    static {
        LIBRARIES.put("Spring Boot", SpringApplication.class);
        LIBRARIES.put("Spring Framework", ApplicationContext.class);
        LIBRARIES.put("Lettuce", RedisClient.class);
        LIBRARIES.put("Netty", Version.class);
        LIBRARIES.put("Reactor", Flux.class);
        LIBRARIES.put("HikariCP", HikariDataSource.class);
        LIBRARIES.put("PostgreSQL's driver", org.postgresql.Driver.class);
        LIBRARIES.put("jdbi", Jdbi.class);
        LIBRARIES.put("Micrometer", MeterRegistry.class);
        LIBRARIES.put("Flyway", org.flywaydb.core.Flyway.class);
    }

    @Test
    @DisplayName("have the versions that the reference names")
    void recorded() throws IOException {
        int column = SpringBootVersion.getVersion().startsWith("4") ? 2 : 3;
        List<String> lines = Files.readAllLines(TABLE);
        LIBRARIES.forEach((name, type) -> assertThat(lines)
                .filteredOn(line -> line.startsWith("| " + name + " |"))
                .as(name)
                .singleElement()
                .extracting(line -> line.split("\\|", -1)[column].strip())
                .isEqualTo(version(type)));
    }

    /** The version in the name of the jar. */
    private static String version(Class<?> type) {
        String jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
        return jar.replaceAll(".*/", "").replaceAll("^.*?-(\\d[\\w.]*)\\.jar$", "$1");
    }
}
