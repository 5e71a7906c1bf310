package io.feedkit.survival.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedPage;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Published;
import io.feedkit.StoreUnavailableException;
import io.feedkit.Unread;
import io.feedkit.event.FeedListener;
import io.feedkit.event.FeedRead;
import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcPostArchive;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An engine with inboxes in Redis, old posts in an archive, and everything else in PostgreSQL. Requests and answers are lines of words.
 *
 * <table>
 * <caption>Requests, and what follows {@code ok} in the answer</caption>
 * <tr><th>request</th><th>answer</th></tr>
 * <tr><td>{@code first LIMIT plain|hydrated READER}, {@code older LIMIT plain|hydrated READER CURSOR}, {@code newer
 * LIMIT plain|hydrated READER CURSOR}</td><td>older and newer cursor, {@code more} or {@code all}, {@code stale} or
 * {@code fresh}, where the posts came from, and each post as author, slash, id, at sign and milliseconds</td></tr>
 * <tr><td>{@code publish AUTHOR ID MILLIS}</td><td>{@code NEW}, {@code SAME} or {@code DELETED}, and the milliseconds
 * of the post as stored</td></tr>
 * <tr><td>{@code delete AUTHOR ID}, {@code follow READER AUTHOR}, {@code unfollow
 * READER AUTHOR}, {@code mark READER CURSOR}, {@code rebuild READER}, {@code refresh READER}, {@code policy KIND
 * FOLLOWERS}, {@code pause}, {@code resume}</td><td></td></tr>
 * <tr><td>{@code unread READER}</td><td>the count, {@code capped} or {@code exact}</td></tr>
 * <tr><td>{@code backlog}</td><td>tasks, dead letters</td></tr>
 * <tr><td>{@code verify MILLIS}, which compares again after so long and repairs</td><td>how many differences it
 * found, and which</td></tr>
 * </table>
 *
 * <p>The answer to a call that failed is {@code refused}, {@code unknown} (it may have happened) or {@code failed} (an
 * exception that no call should throw), and the exception.
 */
final class OpenEngine implements AutoCloseable {

    /** Longer than the longest delay of a store call by a fault. */
    static final Duration LEASE = Duration.ofSeconds(8);

    /** The age at which posts move to the archive. */
    static final Duration ARCHIVED_AFTER = Duration.ofDays(1);

    private static final Duration SQL_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration REDIS_TIMEOUT = Duration.ofSeconds(1);
    private static final int POOL = 6;
    private static final int ARCHIVE_POOL = 4;
    private static final int VERIFIED_PER_SECOND = 100;
    private static final int BATCH = 5;
    private static final int MAX_ATTEMPTS = 100;
    private static final String NONE = "-";

    private static final ThreadLocal<FeedRead> LAST_READ = new ThreadLocal<>();

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final FeedEngine feed;

    private OpenEngine(EngineSettings settings) {
        try {
            feed = engine(settings);
        } catch (RuntimeException e) {
            closeParts();
            throw e;
        }
    }

    private <T extends AutoCloseable> T part(T opened) {
        parts.push(opened);
        return opened;
    }

    private FeedEngine engine(EngineSettings settings) {
        HikariDataSource old = part(archive(settings.archive()));
        JdbcFeedStore sql = part(JdbcFeedStore.builder(settings.database())
                .poolSize(POOL)
                .timeout(SQL_TIMEOUT)
                .maintenanceInterval(Duration.ofSeconds(1))
                .build());
        RedisInboxes redis = part(RedisInboxes.builder(RedisServers.at(settings.inboxes()))
                .timeout(REDIS_TIMEOUT)
                .startWithoutServer(true)
                .build());
        FeedEngineBuilder builder = FeedEngine.builder(
                        FeedStore.of(sql.outbox(), redis::inbox, sql.graph(), sql.seenMarks()))
                .name(settings.name())
                .workers(settings.workers())
                .cap(settings.cap())
                .clock(Clock.offset(Clock.systemUTC(), Duration.ofMillis(settings.skewMillis())))
                .archive(JdbcPostArchive.of(old))
                .archiving(archiving ->
                        archiving.after(ARCHIVED_AFTER).batchSize(BATCH).interval(Duration.ofMillis(200)))
                .fanout(fanout -> fanout.lease(LEASE)
                        .batchSize(BATCH)
                        .maxAttempts(MAX_ATTEMPTS)
                        .retryDelay(Duration.ofMillis(50)))
                .listener(new FeedListener() {
                    @Override
                    public void read(FeedRead event) {
                        LAST_READ.set(event);
                    }
                });
        if (settings.staleMillis() > 0) {
            builder.reading(reading -> reading.staleIfError(Duration.ofMillis(settings.staleMillis())));
        }
        return builder.build();
    }

    private static HikariDataSource archive(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(ARCHIVE_POOL);
        config.setConnectionTimeout(SQL_TIMEOUT.toMillis());
        config.setInitializationFailTimeout(-1);
        config.addDataSourceProperty("connectTimeout", SQL_TIMEOUT.toSeconds());
        config.addDataSourceProperty("socketTimeout", LEASE.dividedBy(2).toSeconds());
        return new HikariDataSource(config);
    }

    /** Opens an engine. Fails if the database does not answer. */
    static OpenEngine open(EngineSettings settings) {
        return new OpenEngine(settings);
    }

    /** Answers a request with a line. */
    String answer(String request) {
        try {
            return "ok " + act(request.split(" ", -1));
        } catch (StoreUnavailableException e) {
            return "refused " + oneLine(e.toString());
        } catch (OutcomeUnknownException e) {
            return "unknown " + oneLine(e.toString());
        } catch (RuntimeException | Error e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace, true));
            return "failed " + oneLine(trace.toString());
        }
    }

    private String act(String[] words) {
        String subject = words.length > 1 ? words[1] : "";
        return switch (words[0]) {
            case "first", "older", "newer" -> page(words);
            case "publish" -> published(feed.publish(Post.of(subject, words[2], Long.parseLong(words[3]))));
            case "delete" -> Boolean.toString(feed.delete(subject, words[2]));
            case "follow" -> Boolean.toString(feed.follow(subject, words[2]));
            case "unfollow" -> Boolean.toString(feed.unfollow(subject, words[2]));
            case "mark" -> {
                feed.markSeen(subject, Cursor.parse(words[2]));
                yield "";
            }
            case "rebuild" -> Boolean.toString(feed.rebuild(subject));
            case "refresh" -> Integer.toString(feed.refresh(subject));
            case "unread" -> {
                Unread unread = feed.unread(subject);
                yield unread.count() + (unread.capped() ? " capped" : " exact");
            }
            case "policy" -> {
                feed.usePolicy(policy(subject, Long.parseLong(words[2])));
                yield "";
            }
            case "pause" -> {
                feed.fanout().pause();
                yield "";
            }
            case "resume" -> {
                feed.fanout().resume();
                yield "";
            }
            case "backlog" -> {
                Backlog backlog = feed.fanout().backlog();
                yield backlog.tasks() + " " + backlog.deadLetters();
            }
            case "verify" -> {
                VerifyReport report = feed.verify(VerifyRequest.everything()
                        .perSecond(VERIFIED_PER_SECOND)
                        .recheckAfter(Duration.ofMillis(Long.parseLong(subject)))
                        .repair(true));
                long found = report.counts().values().stream()
                        .mapToLong(Long::longValue)
                        .sum();
                yield found + " " + oneLine(report + " " + report.findings());
            }
            default -> throw new IllegalArgumentException("no such request: " + words[0]);
        };
    }

    private static String published(Published answer) {
        return answer.status() + " " + answer.post().publishedAt().toEpochMilli();
    }

    private static FanoutPolicy policy(String kind, long followers) {
        return switch (kind) {
            case "push" -> FanoutPolicy.push();
            case "pull" -> FanoutPolicy.pull();
            case "hybrid" -> FanoutPolicy.hybrid(followers);
            case "active" -> FanoutPolicy.active(followers);
            default -> throw new IllegalArgumentException("no such policy: " + kind);
        };
    }

    private String page(String[] words) {
        int limit = Integer.parseInt(words[1]);
        PageRequest request = switch (words[0]) {
            case "first" -> PageRequest.first(limit);
            case "older" -> PageRequest.older(Cursor.parse(words[4]), limit);
            default -> PageRequest.newer(Cursor.parse(words[4]), limit);
        };
        LAST_READ.remove();
        FeedPage<Post> page = words[2].equals("plain")
                ? feed.read(words[3], request)
                : feed.read(
                        words[3],
                        request,
                        posts -> posts.stream().collect(Collectors.toMap(Function.identity(), Function.identity())));
        FeedRead read = LAST_READ.get();
        return "%s %s %s %s %s %s"
                .formatted(
                        page.older().map(Cursor::toString).orElse(NONE),
                        page.newer(),
                        page.moreNewer() ? "more" : "all",
                        page.caveats().contains(FeedPage.Caveat.STALE) ? "stale" : "fresh",
                        read == null
                                ? NONE
                                : "inbox=%d,outboxes=%d,calls=%d"
                                        .formatted(read.fromInbox(), read.fromOutboxes(), read.outboxCalls()),
                        page.items().stream()
                                .map(post -> post.author() + "/" + post.id() + "@"
                                        + post.publishedAt().toEpochMilli())
                                .collect(Collectors.joining(" ")));
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s+", " ");
    }

    @Override
    public void close() {
        feed.close();
        closeParts();
    }

    private void closeParts() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException("a part cannot be closed", e);
            }
        }
    }
}
