package io.feedkit.spring.host;

import static io.feedkit.spring.host.HostApplication.SQL;
import static io.feedkit.spring.host.HostApplication.runner;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("FeedKit's tables")
class SchemaTest {

    @Test
    @DisplayName("are created by the application's Flyway, with a history of their own")
    void flyway() {
        runner(SQL).withPropertyValues("spring.flyway.enabled=true").run(context -> {
            context.getBean(FeedEngine.class).publish("bob", "one");
            assertThat(count(context.getBean(JdbcClient.class), "\"feedkit_flyway_history\""))
                    .isPositive();
        });
    }

    @Test
    @DisplayName("are created by the application's Liquibase")
    void liquibase() {
        runner(SQL)
                .withPropertyValues(
                        "spring.liquibase.enabled=true", "spring.liquibase.change-log=classpath:host-changelog.xml")
                .run(context -> {
                    context.getBean(FeedEngine.class).publish("bob", "one");
                    assertThat(count(context.getBean(JdbcClient.class), "databasechangelog where id = 'feedkit-1'"))
                            .isEqualTo(1);
                });
    }

    private static int count(JdbcClient jdbc, String table) {
        return jdbc.sql("select count(*) from " + table).query(Integer.class).single();
    }

    @Test
    @DisplayName("are only checked if the application says so: what is missing stops the start")
    void validate() {
        for (String mode : new String[] {"validate", "none"}) {
            runner(SQL)
                    .withPropertyValues("feedkit.schema=" + mode)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .hasStackTraceContaining(
                                    "feedkit.schema is " + mode + ": there are no FeedKit tables feedkit_*"));
        }
    }
}
