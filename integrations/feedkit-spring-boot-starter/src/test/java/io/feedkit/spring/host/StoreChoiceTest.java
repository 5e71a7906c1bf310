package io.feedkit.spring.host;

import static io.feedkit.spring.host.HostApplication.NOTHING;
import static io.feedkit.spring.host.HostApplication.SQL;
import static io.feedkit.spring.host.HostApplication.SQL_WITHOUT_JPA;
import static io.feedkit.spring.host.HostApplication.runner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostFilter;
import io.feedkit.counter.Reactions;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.spring.FeedEngineCustomizer;
import io.feedkit.spring.InvalidSettingException;
import io.feedkit.spring.internal.diagnostics.InvalidSettingAnalyzer;
import io.feedkit.unread.UnreadCounter;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

@DisplayName("The store of an application")
@ExtendWith(OutputCaptureExtension.class)
class StoreChoiceTest {

    private static final PageRequest FIRST = PageRequest.first(10);

    @Test
    @DisplayName("is in memory if nothing is configured, which is logged once as a warning")
    void nothingConfigured(CapturedOutput output) {
        runner(NOTHING).run(context -> {
            FeedEngine feed = context.getBean(FeedEngine.class);
            feed.follow("ann", "bob");
            feed.publish("bob", "one");
            assertThat(feed.read("ann", FIRST).items()).extracting(Post::id).containsExactly("one");
        });
        assertThat(output.getAll().split("in memory", -1)).as("said once").hasSize(2);
        assertThat(output).contains("WARN").contains("spring.datasource.url");
    }

    @Test
    @DisplayName("is in memory without a warning if the application says so")
    void memory(CapturedOutput output) {
        runner(SQL).withPropertyValues("feedkit.store=memory").run(context -> {
            assertThat(context).hasSingleBean(FeedEngine.class);
            assertThat(context.getBean(JdbcClient.class)
                            .sql("select count(*) from information_schema.tables where table_name like 'feedkit%'")
                            .query(Integer.class)
                            .single())
                    .isZero();
        });
        assertThat(output).doesNotContain("in memory");
    }

    @Test
    @DisplayName("is in the database if there is a data source, with tables that FeedKit creates, and the log says so")
    void sql(CapturedOutput output) {
        runner(SQL).run(context -> {
            FeedEngine feed = context.getBean(FeedEngine.class);
            feed.follow("ann", "bob");
            feed.publish("bob", "one");
            assertThat(context.getBean(JdbcClient.class)
                            .sql("select id from feedkit_post")
                            .query(String.class)
                            .list())
                    .containsExactly("one");
            context.getBean(Reactions.class).add("ann", "one");
            context.getBean(UnreadCounter.class).add(List.of("ann"), "comment", 1, "c-1");
            assertThat(context.getBean(Reactions.class).get("one")).isEqualTo(1);
        });
        assertThat(output)
                .containsPattern(
                        "posts, follows, marks, inboxes: jdbc:h2:mem:[^;]*, tables feedkit_.*; lost when the process");
    }

    @Test
    @DisplayName("is the application's own if it defines one")
    void ownStore() {
        runner(SQL).withUserConfiguration(OwnStore.class).run(context -> {
            assertThat(context.getBean(FeedStore.class)).isInstanceOf(InMemoryFeedStore.class);
            context.getBean(FeedEngine.class).publish("bob", "one");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnStore {
        @Bean
        FeedStore ownStore() {
            return InMemoryFeedStore.create();
        }
    }

    @Test
    @DisplayName("reads the application's own follow graph")
    void ownGraph() {
        runner(NOTHING).withUserConfiguration(OwnGraph.class).run(context -> {
            FeedEngine feed = context.getBean(FeedEngine.class);
            feed.publish("bob", "one");
            assertThat(feed.isFollowing("ann", "bob")).isTrue();
            assertThat(feed.read("ann", FIRST).items()).hasSize(1);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnGraph {
        @Bean
        FollowGraph ownGraph() {
            WritableFollowGraph graph = InMemoryFeedStore.create().graph();
            graph.add(List.of(new Edge("ann", "bob")));
            return graph;
        }
    }

    @Test
    @DisplayName("is not needed by an application with two engines of its own")
    void twoEngines() {
        runner(NOTHING)
                .withUserConfiguration(TwoEngines.class)
                .withPropertyValues("management.endpoints.web.exposure.include=*")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoEngines {
        @Bean
        FeedEngine one() {
            return FeedEngine.builder(InMemoryFeedStore.create()).build();
        }

        @Bean
        FeedEngine other() {
            return FeedEngine.builder(InMemoryFeedStore.create()).build();
        }
    }

    @Test
    @DisplayName("reads a follow graph of the application that needs the transaction manager")
    void graphInTransactions() {
        runner(SQL_WITHOUT_JPA).withUserConfiguration(GraphOnJooq.class).run(context -> {
            FeedEngine feed = context.getBean(FeedEngine.class);
            feed.publish("bob", "one");
            assertThat(feed.isFollowing("ann", "bob")).isTrue();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class GraphOnJooq {
        @Bean
        FollowGraph graphOnJooq(DSLContext jooq) {
            assertThat(jooq.fetchValue("select 1")).isEqualTo(1);
            WritableFollowGraph graph = InMemoryFeedStore.create().graph();
            graph.add(List.of(new Edge("ann", "bob")));
            return graph;
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    @DisplayName("shows the property, the names and the remedy when the start fails")
    void shownFailure(CapturedOutput output) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(HostApplication.class, TwoDataSources.class)
                .properties(SQL_WITHOUT_JPA)
                .properties(SQL_WITHOUT_JPA[0] + "," + HostApplication.JOOQ);
        assertThatThrownBy(application::run).isInstanceOf(Exception.class);
        assertThat(output.toString().split("APPLICATION FAILED TO START", -1)[1])
                .contains("feedkit.jdbc.data-source is not set", "[posts, reports]", "Set feedkit.jdbc");
        FailureAnalyzer ours = new InvalidSettingAnalyzer();
        FailureAnalyzer other = failure -> null;
        List<FailureAnalyzer> sorted = new ArrayList<>(List.of(other, ours));
        AnnotationAwareOrderComparator.sort(sorted);
        assertThat(sorted).as("wherever its jar is on the class path").first().isSameAs(ours);
    }

    @Test
    @DisplayName("is refused if there are two data sources, with their names and the property")
    void twoDataSources() {
        runner(SQL)
                .withUserConfiguration(TwoDataSources.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .satisfies(failure -> assertThat(invalid(context.getStartupFailure()))
                                .hasMessageContaining("feedkit.jdbc.data-source is not set")
                                .hasMessageContaining("[posts, reports]")
                                .extracting(InvalidSettingException::remedy)
                                .asString()
                                .contains("Set feedkit.jdbc.data-source to one of these names")));
    }

    @Test
    @DisplayName("is in the data source that a property names, of two")
    void namedDataSource() {
        runner(SQL_WITHOUT_JPA)
                .withUserConfiguration(TwoDataSources.class)
                .withPropertyValues(SQL_WITHOUT_JPA[0] + "," + HostApplication.JOOQ, "feedkit.jdbc.data-source=posts")
                .run(context -> {
                    context.getBean(FeedEngine.class).publish("bob", "one");
                    assertThat(JdbcClient.create(context.getBean("posts", DataSource.class))
                                    .sql("select count(*) from feedkit_post")
                                    .query(Integer.class)
                                    .single())
                            .isEqualTo(1);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {
        @Bean
        DataSource posts() {
            return new DriverManagerDataSource("jdbc:h2:mem:posts;DB_CLOSE_DELAY=-1");
        }

        @Bean
        DataSource reports() {
            return new DriverManagerDataSource("jdbc:h2:mem:reports;DB_CLOSE_DELAY=-1");
        }
    }

    @Test
    @DisplayName("is refused if a property asks for what is not there")
    void missing() {
        assertRefused("feedkit.store=jdbc", "feedkit.store is jdbc", "spring.datasource.url");
        assertRefused("feedkit.store=redis", "feedkit.store is redis", "feedkit.redis.uri");
        assertRefused("feedkit.live.bus=postgres", "feedkit.live.bus is postgres", "none");
        assertRefused("feedkit.live.executor=crew", "feedkit.live.executor is crew", "Name an Executor bean");
        assertRefused("feedkit.cap=3", "feedkit.cap is 3: cap must be between 10 and 100000", "Change feedkit.cap");
        assertRefused("feedkit.redis.uri=nonsense", "feedkit.redis.uri", "redis://");
        assertRefused("feedkit.counters.store=redis", "feedkit.counters.store is redis", "Configure the server");
        assertRefused("feedkit.counters.store=jdbc", "feedkit.counters.store is jdbc", "Configure the server");
        assertRefused("feedkit.health.timeout=5m", "feedkit.health.timeout is PT5M", "Change feedkit.health.timeout");
        assertRefused("feedkit.web.limit=0", "feedkit.web.limit is 0", "Change feedkit.web.limit");
        assertRefused("feedkit.web.limit=101", "feedkit.web.limit is 101", "Change feedkit.web.limit");
        assertRefused("feedkit.web.max-limit=1001", "feedkit.web.max-limit is 1001", "Change feedkit.web.max-limit");
        assertRefused("feedkit.web.retry-after=0s", "feedkit.web.retry-after is PT0S", "Change feedkit.web");
    }

    @Test
    @DisplayName("is refused if the database has not what a property names, or does not answer")
    void unfitDatabase() {
        assertRefused(
                SQL, "feedkit.jdbc.posts.table=article", "feedkit.jdbc.posts.table is article", "Change feedkit.jdbc");
        assertRefused(
                SQL, "feedkit.jdbc.follows.table=fan", "feedkit.jdbc.follows.table is fan", "Change feedkit.jdbc");
        assertRefused(
                SQL, "feedkit.jdbc.notifications=true", "feedkit.jdbc.notifications is true", "Change feedkit.jdbc");
        for (String schema : List.of("create", "validate", "none")) {
            runner(SQL_WITHOUT_JPA)
                    .withPropertyValues(
                            "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none",
                            "spring.datasource.hikari.connection-timeout=250",
                            "feedkit.schema=" + schema)
                    .run(context -> assertThat(invalid(context.getStartupFailure()))
                            .as(schema)
                            .hasMessageContaining("127.0.0.1:1"));
        }
    }

    private static void assertRefused(String property, String problem, String remedy) {
        assertRefused(NOTHING, property, problem, remedy);
    }

    private static void assertRefused(String[] given, String property, String problem, String remedy) {
        runner(given).withPropertyValues(property).run(context -> {
            assertThat(context).as(property).hasFailed();
            assertThat(invalid(context.getStartupFailure()))
                    .as(property)
                    .hasMessageContaining(problem)
                    .extracting(InvalidSettingException::remedy)
                    .asString()
                    .contains(remedy);
        });
    }

    private static InvalidSettingException invalid(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidSettingException invalid) {
                return invalid;
            }
        }
        throw new AssertionError("no InvalidSettingException", failure);
    }

    @Test
    @DisplayName("needs neither feedkit-redis nor Spring's JDBC and JPA on the class path")
    void optionalClasses() {
        runner(NOTHING)
                .withClassLoader(new FilteredClassLoader(
                        "io.feedkit.redis",
                        "io.lettuce",
                        "org.springframework.jdbc",
                        "org.springframework.orm",
                        "org.springframework.transaction",
                        "org.flywaydb",
                        "liquibase",
                        "jakarta.persistence"))
                .run(context -> {
                    FeedEngine feed = context.getBean(FeedEngine.class);
                    feed.publish("bob", "one");
                    assertThat(feed.readAuthor("bob", FIRST).items()).hasSize(1);
                });
    }

    @Test
    @DisplayName("does not start with an unknown property or policy")
    void wrongProperty() {
        runner(NOTHING)
                .withPropertyValues("feedkit.capp=30")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("feedkit.capp"));
        runner(NOTHING)
                .withPropertyValues("feedkit.policy=hybrd(3)")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("hybrid(threshold)"));
    }

    @Test
    @DisplayName("is used with the policies, beans and customizers of the application")
    void beans() {
        runner(NOTHING)
                .withUserConfiguration(Policies.class)
                .withPropertyValues("feedkit.policies.relief=hybrid(10_000, 8_000)", "feedkit.name=web-1")
                .run(context -> {
                    FeedEngine feed = context.getBean(FeedEngine.class);
                    feed.usePolicyOnAllEngines("relief");
                    feed.usePolicyOnAllEngines("quiet");
                    feed.useOwnPolicyOnAllEngines();
                    feed.follow("ann", "bob");
                    feed.publish("bob", "hidden");
                    assertThat(feed.read("ann", FIRST).items()).isEmpty();
                    assertThat(feed.toString()).contains("web-1");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Policies {
        @Bean
        FanoutPolicy only() {
            return FanoutPolicy.pull();
        }

        @Bean
        FeedEngineCustomizer quiet() {
            return builder -> builder.namedPolicy("quiet", FanoutPolicy.pull());
        }

        @Bean
        PostFilter nothing() {
            return (reader, posts) -> List.of();
        }
    }
}
