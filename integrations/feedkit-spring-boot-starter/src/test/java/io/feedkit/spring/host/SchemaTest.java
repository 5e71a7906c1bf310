package io.feedkit.spring.host;

import static io.feedkit.spring.host.HostApplication.SQL;
import static io.feedkit.spring.host.HostApplication.SQL_WITHOUT_JPA;
import static io.feedkit.spring.host.HostApplication.runner;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.testservers.PostgresServer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

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
                    assertThat(count(context.getBean(JdbcClient.class), "databasechangelog where id = 'feedkit_1'"))
                            .isEqualTo(1);
                });
    }

    @Test
    @DisplayName("that FeedKit has created are taken over when the application begins to use Flyway or Liquibase")
    void takenOver() {
        for (String tool : List.of(
                "spring.flyway.enabled=true,spring.flyway.baseline-on-migrate=true",
                "spring.liquibase.enabled=true,spring.liquibase.change-log=classpath:host-changelog.xml")) {
            String url = "spring.datasource.url=jdbc:h2:mem:taken-over-" + tool.length() + ";DB_CLOSE_DELAY=-1";
            runner(SQL)
                    .withPropertyValues(url)
                    .run(context -> context.getBean(FeedEngine.class).publish("bob", "one"));
            for (int start = 0; start < 2; start++) {
                runner(SQL)
                        .withPropertyValues(url)
                        .withPropertyValues(tool.split(",", -1))
                        .run(context -> assertThat(context.getBean(FeedEngine.class)
                                        .readAuthor("bob", PageRequest.first(10))
                                        .items())
                                .as(tool)
                                .hasSize(1));
            }
        }
    }

    @Test
    @DisplayName("are created by the user with whom Flyway or Liquibase migrates, if the application's user may not")
    void otherUser() {
        for (String tool : List.of("flyway", "liquibase")) {
            String database = PostgresServer.shared().createDatabase();
            JdbcClient owner = JdbcClient.create(new DriverManagerDataSource(database));
            String role = "app_" + tool;
            owner.sql("create role " + role + " login password 'app'").update();
            owner.sql("alter default privileges grant select, insert, update, delete on tables to " + role)
                    .update();
            owner.sql("alter default privileges grant usage on sequences to " + role)
                    .update();
            owner.sql("create schema place authorization " + role).update();
            owner.sql("grant usage on schema place to " + role).update();
            String plain = database.split("\\?", 2)[0] + "?currentSchema=place";
            runner(SQL_WITHOUT_JPA)
                    .withPropertyValues(
                            "spring.datasource.url=" + plain,
                            "spring.datasource.username=" + role,
                            "spring.datasource.password=app",
                            "spring." + tool + ".enabled=true",
                            "spring." + tool + ".url=" + database,
                            "spring.flyway.locations=classpath:none",
                            "spring.flyway.fail-on-missing-locations=false",
                            "spring.liquibase.change-log=classpath:host-changelog.xml")
                    .run(context -> context.getBean(FeedEngine.class).publish("bob", "one"));
            assertThat(owner.sql("select tableowner from pg_tables where tablename = 'feedkit_post'"
                                    + " and schemaname = 'place'")
                            .query(String.class)
                            .single())
                    .as(tool)
                    .isNotEqualTo(role);
        }
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
