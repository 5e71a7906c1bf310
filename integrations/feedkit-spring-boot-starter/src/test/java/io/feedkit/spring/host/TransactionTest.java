package io.feedkit.spring.host;

import static io.feedkit.spring.host.HostApplication.SQL;
import static io.feedkit.spring.host.HostApplication.SQL_WITHOUT_JPA;
import static io.feedkit.spring.host.HostApplication.runner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Table;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

@DisplayName("In a transaction of Spring")
class TransactionTest {

    private static final PageRequest FIRST = PageRequest.first(10);
    private static final String[] OWN_TABLES = {
        "feedkit.jdbc.posts.table=article",
        "feedkit.jdbc.posts.author=author_id",
        "feedkit.jdbc.posts.published-at=created_at",
        "feedkit.jdbc.follows.table=follows"
    };

    static Stream<Named<String[]>> managers() {
        return Stream.of(
                Named.of("DataSourceTransactionManager", SQL_WITHOUT_JPA), Named.of("JpaTransactionManager", SQL));
    }

    @ParameterizedTest
    @MethodSource("managers")
    @DisplayName("publish and delete join: a rollback undoes them, and a commit makes them visible")
    void jdbcClient(String[] properties) {
        runner(properties).withUserConfiguration(JdbcHost.class).run(context -> {
            FeedEngine feed = context.getBean(FeedEngine.class);
            Articles articles = context.getBean(Articles.class);
            feed.follow("ann", "bob");
            articles.write("bob", "one", false);
            assertThat(ids(feed)).containsExactly("one");
            assertThatThrownBy(() -> articles.write("bob", "two", true)).hasMessage("rolled back");
            assertThatThrownBy(() -> articles.delete("bob", "one", true)).hasMessage("rolled back");
            assertThat(ids(feed)).containsExactly("one");
            assertThat(articles.rows()).containsExactly("one");
            articles.delete("bob", "one", false);
            feed.publish("bob", "three");
            assertThat(ids(feed)).as("outside, it is published at once").containsExactly("three");
        });
    }

    private static List<String> ids(FeedEngine feed) {
        feed.fanout().drain();
        return feed.read("ann", FIRST).items().stream().map(Post::id).toList();
    }

    @ParameterizedTest
    @MethodSource("managers")
    @DisplayName("which has just been committed or rolled back, changes are made on their own")
    void afterTheEnd(String[] properties) {
        runner(properties).withUserConfiguration(JdbcHost.class).run(context -> {
            FeedEngine feed = context.getBean(FeedEngine.class);
            Articles articles = context.getBean(Articles.class);
            feed.follow("ann", "bob");
            articles.publishAfterTheEnd("bob", "committed", false);
            assertThatThrownBy(() -> articles.publishAfterTheEnd("bob", "rolled-back", true))
                    .hasMessage("rolled back");
            assertThat(ids(feed))
                    .containsExactlyInAnyOrder(
                            "committed-1", "committed-2", "committed-inside", "rolled-back-2", "rolled-back-inside");
            assertThat(articles.visible())
                    .as("other threads see each when its publish returns")
                    .containsExactly("committed-1", "committed-2", "rolled-back-2");
        });
    }

    @Test
    @DisplayName("publish joins what jOOQ writes")
    void jooq() {
        runner(SQL_WITHOUT_JPA).withUserConfiguration(JooqHost.class).run(context -> {
            FeedEngine feed = context.getBean(FeedEngine.class);
            Notes notes = context.getBean(Notes.class);
            feed.follow("ann", "bob");
            notes.write("bob", "one", false);
            assertThatThrownBy(() -> notes.write("bob", "two", true)).hasMessage("rolled back");
            assertThat(ids(feed)).containsExactly("one");
            assertThat(notes.count()).isEqualTo(1);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class JooqHost {
        @Bean
        Notes notes(FeedEngine feed, DSLContext jooq) {
            jooq.execute("create table note (id varchar(64) primary key)");
            return new Notes(feed, jooq);
        }
    }

    static class Notes {

        private final FeedEngine feed;
        private final DSLContext jooq;

        Notes(FeedEngine feed, DSLContext jooq) {
            this.feed = feed;
            this.jooq = jooq;
        }

        @Transactional
        public void write(String author, String id, boolean fail) {
            jooq.execute("insert into note (id) values (?)", id);
            feed.publish(author, id);
            Articles.failIf(fail);
        }

        public int count() {
            return jooq.fetchCount(DSL.table("note"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class JdbcHost {
        @Bean
        Articles articles(FeedEngine feed, JdbcClient jdbc, PlatformTransactionManager transactions) {
            jdbc.sql("create table note (id varchar(64) primary key)").update();
            return new Articles(feed, jdbc, new TransactionTemplate(transactions));
        }
    }

    static class Articles {

        private final FeedEngine feed;
        private final JdbcClient jdbc;
        private final TransactionTemplate apart;
        private final List<String> visible = new ArrayList<>();

        Articles(FeedEngine feed, JdbcClient jdbc, TransactionTemplate apart) {
            this.feed = feed;
            this.jdbc = jdbc;
            this.apart = apart;
            apart.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        }

        @Transactional
        public void publishAfterTheEnd(String author, String id, boolean fail) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    publishVisibly(author, id + "-1");
                }

                @Override
                public void afterCompletion(int status) {
                    apart.executeWithoutResult(inside -> feed.publish(author, id + "-inside"));
                    publishVisibly(author, id + "-2");
                }
            });
            jdbc.sql("insert into note (id) values (?)").param(id).update();
            failIf(fail);
        }

        @Transactional
        public void write(String author, String id, boolean fail) {
            jdbc.sql("insert into note (id) values (?)").param(id).update();
            feed.publish(author, id);
            failIf(fail);
        }

        public List<String> visible() {
            return visible;
        }

        private void publishVisibly(String author, String id) {
            feed.publish(author, id);
            CompletableFuture.supplyAsync(() -> feed.readAuthor(author, FIRST)).join().items().stream()
                    .map(Post::id)
                    .filter(id::equals)
                    .forEach(visible::add);
        }

        @Transactional
        public void delete(String author, String id, boolean fail) {
            feed.delete(author, id);
            jdbc.sql("delete from note where id = ?").param(id).update();
            failIf(fail);
        }

        @Transactional(readOnly = true)
        public List<String> rows() {
            return jdbc.sql("select id from note").query(String.class).list();
        }

        private static void failIf(boolean fail) {
            if (fail) {
                throw new IllegalStateException("rolled back");
            }
        }
    }

    @Test
    @DisplayName("entities of JPA are written first, and follows are reported when they are committed")
    void jpa() {
        runner(SQL)
                .withUserConfiguration(JpaHost.class)
                .withPropertyValues(OWN_TABLES)
                .run(context -> {
                    FeedEngine feed = context.getBean(FeedEngine.class);
                    Blog blog = context.getBean(Blog.class);
                    assertThat(ids(feed)).isEmpty();
                    blog.follow("ann", "bob", false);
                    blog.write("bob", "one", false);
                    assertThat(ids(feed)).containsExactly("one");
                    assertThatThrownBy(() -> blog.write("bob", "two", true)).hasMessage("rolled back");
                    assertThatThrownBy(() -> blog.follow("ann", "eve", true)).hasMessage("rolled back");
                    blog.write("eve", "three", false);
                    assertThat(ids(feed)).containsExactly("one");
                    blog.unfollow("ann", "bob");
                    assertThat(ids(feed)).isEmpty();
                });
    }

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage
    static class JpaHost {
        @Bean
        Blog blog(FeedEngine feed) {
            return new Blog(feed);
        }
    }

    static class Blog {

        private final FeedEngine feed;

        @PersistenceContext
        private EntityManager entities;

        Blog(FeedEngine feed) {
            this.feed = feed;
        }

        @Transactional
        public void write(String author, String id, boolean fail) {
            Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
            entities.persist(new Article(id, author, now.toEpochMilli()));
            feed.publish(new Post(author, id, now));
            Articles.failIf(fail);
        }

        @Transactional
        public void follow(String reader, String author, boolean fail) {
            entities.persist(new Follow(reader + " " + author, reader, author));
            feed.hostGraph().followed(reader, author);
            Articles.failIf(fail);
        }

        @Transactional
        public void unfollow(String reader, String author) {
            entities.remove(entities.find(Follow.class, reader + " " + author));
            feed.hostGraph().unfollowed(reader, author);
        }
    }

    @Entity
    @Table(name = "article")
    static class Article {

        @Id
        @Column(length = 64)
        private String id;

        @Column(name = "author_id", length = 64)
        private String author;

        @Column(name = "created_at")
        private long createdAt;

        protected Article() {}

        Article(String id, String author, long createdAt) {
            this.id = id;
            this.author = author;
            this.createdAt = createdAt;
        }
    }

    @Entity
    @Table(name = "follows")
    static class Follow {

        @Id
        @Column(length = 129)
        private String edge;

        @Column(length = 64)
        private String follower;

        @Column(length = 64)
        private String followee;

        protected Follow() {}

        Follow(String edge, String follower, String followee) {
            this.edge = edge;
            this.follower = follower;
            this.followee = followee;
        }
    }
}
