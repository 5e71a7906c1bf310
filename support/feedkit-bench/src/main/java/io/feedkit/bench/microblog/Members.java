package io.feedkit.bench.microblog;

import io.feedkit.FeedEngine;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.ComposedStore;
import io.feedkit.spi.FeedStore;
import io.lettuce.core.RedisURI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Accounts with tokens and follows. They are written into the tables, because signing up hashes a password, which takes
 * a tenth of a second.
 */
final class Members {

    private static final long FIRST_ID = 100_000_000_000_000_000L;

    private final int count;
    private final int[] followers;

    Members(int count) {
        this.count = count;
        this.followers = new int[count];
    }

    int count() {
        return count;
    }

    String token(int member) {
        return "bench-token-" + member;
    }

    /** How many follow a member. */
    int followers(int member) {
        return followers[member];
    }

    private static long id(int member) {
        return FIRST_ID + member;
    }

    /** Everyone follows some accounts by chance; accounts are alike. */
    void create(MicroblogServer server, int followees) {
        try (Connection connection = DriverManager.getConnection(server.database())) {
            insertAccounts(connection);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot create accounts", e);
        }
        try (ComposedStore store = ComposedStore.of(parts -> {
                    JdbcFeedStore sql =
                            parts.add(JdbcFeedStore.builder(server.database()).build());
                    RedisInboxes inboxes =
                            parts.add(RedisInboxes.create(RedisServers.at(RedisURI.create(server.redis()))));
                    return FeedStore.of(
                            sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks(), inboxes.rankSnapshots());
                });
                FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
            SplittableRandom chance = new SplittableRandom(1);
            for (int member = 0; member < count; member++) {
                int self = member;
                List<String> authors = Stream.generate(() -> chance.nextInt(count))
                        .filter(author -> author != self)
                        .distinct()
                        .limit(followees)
                        .peek(author -> followers[author]++)
                        .map(author -> String.valueOf(id(author)))
                        .toList();
                feed.followAll(String.valueOf(id(member)), authors);
            }
        }
    }

    private void insertAccounts(Connection connection) throws SQLException {
        try (PreparedStatement account = connection.prepareStatement(
                        "insert into account (id, username, email, display_name, note, password_hash, created_at)"
                                + " values (?, ?, ?, ?, '', '', 0)");
                PreparedStatement token = connection.prepareStatement(
                        "insert into oauth_token (hash, client_id, account_id, scopes, created_at)"
                                + " values (?, 'bench', ?, ?, 0)")) {
            for (int member : IntStream.range(0, count).toArray()) {
                account.setLong(1, id(member));
                account.setString(2, "member" + member);
                account.setString(3, "member" + member + "@bench.invalid");
                account.setString(4, "Member " + member);
                account.addBatch();
                token.setString(1, sha256(token(member)));
                token.setLong(2, id(member));
                token.setString(3, "read write follow");
                token.addBatch();
            }
            account.executeBatch();
            token.executeBatch();
        }
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
