package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.ForeignStoreException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.event.FeedListener;
import io.feedkit.event.InboxRebuilt;
import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the pages on operations and identities show. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The pages on operations and identities")
@Timeout(120)
class OperationsGuideTest {

    private static final PageRequest FIRST = PageRequest.first(20);

    @Test
    @DisplayName("lets inboxes and counters in Redis belong to a database with a new identity")
    void adopts() {
        try (HikariDataSource copied = GuideDatabase.withFeedKit();
                JdbcCounterStore counters = JdbcCounterStore.create(copied);
                RedisServer server = RedisServer.start(Durability.FAST)) {
            RedisServers servers = RedisServers.at(server.uri());
            try (JdbcFeedStore sql = JdbcFeedStore.create(copied)) {
                RedisInboxes.builder(servers).adopt(sql.outbox());
            }
            // guide
            JdbcSchema.of(copied).newIdentity();
            // end
            try (JdbcFeedStore sql = JdbcFeedStore.create(copied)) {
                assertThatThrownBy(() -> useInboxesOf(sql, servers)).isInstanceOf(ForeignStoreException.class);
                // guide
                RedisInboxes.builder(servers).adopt(sql.outbox());
                WriteBehindCounterStore.builder(servers, counters).adopt();
                // end
                useInboxesOf(sql, servers);
            }
        }
    }

    private static void useInboxesOf(JdbcFeedStore sql, RedisServers servers) {
        try (RedisInboxes inboxes = RedisInboxes.create(servers);
                FeedEngine feed = FeedEngine.builder(
                                FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks()))
                        .workers(0)
                        .build()) {
            feed.read("ann", FIRST);
        }
    }

    @Test
    @DisplayName("empties inboxes after a restore with SQL: each is rebuilt when it is next read")
    void emptiesInboxes() throws IOException, SQLException {
        List<String> rebuilt = new CopyOnWriteArrayList<>();
        FeedListener listener = new FeedListener() {
            @Override
            public void rebuilt(InboxRebuilt event) {
                rebuilt.add(event.reader());
            }
        };
        try (HikariDataSource dataSource = GuideDatabase.withFeedKit();
                JdbcFeedStore store = JdbcFeedStore.create(dataSource)) {
            try (FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
                feed.follow("ann", "bob");
                assertThat(feed.read("ann", FIRST).items()).isEmpty();
                feed.publish("bob", "post-1");
                feed.fanout().drain();
            }
            assertThat(GuideDatabase.rows(dataSource, "feedkit_inbox_entry")).isOne();
            GuideDatabase.execute(dataSource, GuideTexts.block("../operations.md", "sql"));
            assertThat(GuideDatabase.rows(dataSource, "feedkit_inbox_entry")).isZero();
            try (FeedEngine feed =
                    FeedEngine.builder(store).workers(0).listener(listener).build()) {
                assertThat(feed.read("ann", FIRST).items()).extracting(Post::id).containsExactly("post-1");
            }
            assertThat(rebuilt).containsExactly("ann");
            assertThat(GuideDatabase.rows(dataSource, "feedkit_inbox_entry")).isOne();
        }
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("../reference/operator-calls.md", "OperatorCallsTest");
        GuideTexts.assertShown("../reference/identities.md", "OperationsGuideTest");
    }
}
