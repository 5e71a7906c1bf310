package io.feedkit.examples.microblog.world;

import io.feedkit.FeedEngine;
import io.feedkit.counter.Counters;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Reactions.Reaction;
import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.status.Status;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;

/** Writes what happened before the start: rows and FeedKit's imports, in batches. */
@Component
class History {

    static final String PASSWORD = "feedkit-demo";

    private static final int BATCH = 1_000;

    private final JdbcTemplate jdbc;
    private final FeedEngine feed;
    private final Counters counters;
    private final Reactions likes;
    private final PasswordEncoder passwords;

    History(JdbcTemplate jdbc, FeedEngine feed, Counters counters, Reactions likes, PasswordEncoder passwords) {
        this.jdbc = jdbc;
        this.feed = feed;
        this.counters = counters;
        this.likes = likes;
        this.passwords = passwords;
    }

    /** All of these accounts have the same password. */
    void addAccounts(Collection<Account> accounts) {
        String hash = passwords.encode(PASSWORD);
        jdbc.batchUpdate(
                "insert into account (id, username, email, display_name, note, password_hash, created_at)"
                        + " values (?, ?, ?, ?, ?, ?, ?)",
                accounts,
                BATCH,
                (row, account) -> {
                    row.setLong(1, account.id());
                    row.setString(2, account.username());
                    row.setString(3, account.username() + "@example.org");
                    row.setString(4, account.displayName());
                    row.setString(5, account.note());
                    row.setString(6, hash);
                    row.setLong(7, account.createdAt());
                });
    }

    /** Adds follows, which are by reader. */
    void addFollows(Map<String, Set<String>> followees) {
        Map<String, Long> followers = new HashMap<>();
        followees.forEach((reader, authors) -> {
            feed.followAll(reader, authors);
            authors.forEach(author -> followers.merge(author, 1L, Long::sum));
        });
        Map<String, Long> following = followees.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry ->
                (long) entry.getValue().size()));
        counters.add("followers", followers);
        counters.add("following", following);
    }

    /** Adds statuses, the oldest first. */
    void addStatuses(List<Status> statuses) {
        for (int from = 0; from < statuses.size(); from += BATCH) {
            addBatch(statuses.subList(from, Math.min(from + BATCH, statuses.size())));
        }
    }

    private void addBatch(List<Status> statuses) {
        jdbc.batchUpdate(
                "insert into status (id, account_id, text, in_reply_to_id, in_reply_to_account_id, reblog_of_id)"
                        + " values (?, ?, ?, ?, ?, ?)",
                statuses,
                BATCH,
                (row, status) -> {
                    row.setLong(1, status.id());
                    row.setLong(2, status.accountId());
                    row.setString(3, status.text());
                    set(row, 4, status.inReplyToId());
                    set(row, 5, status.inReplyToAccountId());
                    set(row, 6, status.reblogOfId());
                });
        feed.importPosts(statuses.stream().map(Status::post).toList());
        counters.add("statuses", sums(statuses, status -> Optional.of(status.accountId())));
        counters.add("replies", sums(statuses, Status::inReplyToId));
        counters.add("boosts", sums(statuses, Status::reblogOfId));
    }

    private static void set(PreparedStatement row, int column, Optional<Long> value) throws SQLException {
        if (value.isPresent()) {
            row.setLong(column, value.get());
        } else {
            row.setNull(column, Types.BIGINT);
        }
    }

    private static Map<String, Long> sums(List<Status> statuses, Function<Status, Optional<Long>> id) {
        return statuses.stream()
                .map(id)
                .flatMap(Optional::stream)
                .collect(Collectors.groupingBy(String::valueOf, Collectors.counting()));
    }

    void addLikes(Collection<Reaction> reactions) {
        likes.add(reactions);
    }
}
