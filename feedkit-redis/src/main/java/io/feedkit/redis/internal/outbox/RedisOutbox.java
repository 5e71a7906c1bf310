package io.feedkit.redis.internal.outbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.IdScan;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.check.Identities;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.redis.internal.log.RedisFanoutLog;
import io.feedkit.redis.internal.outbox.PostRangeReader.RangeQuery;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The outboxes in Redis. Each author has a sorted set of post ids by time. A deleted post stays in it, with a negative
 * time. A string beside it holds the time when the author last published. While the author is pulled, another string
 * holds the recent posts ({@link RecentPosts}). All of them are in the author's partition, beside the log and the
 * pulled register of that partition. So each write is one step ({@link PostWriter}).
 */
public final class RedisOutbox implements Outbox {

    private static final int READ_AT_ONCE = 200;

    private final RedisLink link;
    private final Keys keys;
    private final RedisFanoutLog log;
    private final RedisPulledRegister pulled;
    private final PostWriter writes;
    private final PostRangeReader ranges;
    private final PostCounter counts;
    private final RecentPosts recentPosts;
    private final Supplier<String> identity;

    /** The outboxes of an application. */
    public RedisOutbox(RedisLink link, Keys keys, ScriptClock clock) {
        this(link, link, keys, clock);
    }

    /**
     * The outboxes of an application.
     *
     * @param acknowledging the link that writes posts and deletes. Workers record their progress without it, because
     *     the engine can repeat their work
     */
    public RedisOutbox(RedisLink link, RedisLink acknowledging, Keys keys, ScriptClock clock) {
        this.link = link;
        this.keys = keys;
        log = new RedisFanoutLog(link, keys, clock);
        pulled = new RedisPulledRegister(link, keys, clock);
        writes = new PostWriter(acknowledging, keys, clock);
        ranges = new PostRangeReader(link, keys);
        counts = new PostCounter(link, keys, ranges);
        recentPosts = new RecentPosts(link, keys, clock);
        identity = new OwnIdentity(new Identities(link, keys));
    }

    private RedisOutbox(RedisOutbox same, PostWriter writes) {
        link = same.link;
        keys = same.keys;
        log = same.log;
        pulled = same.pulled;
        this.writes = writes;
        ranges = same.ranges;
        counts = same.counts;
        recentPosts = same.recentPosts;
        identity = same.identity;
    }

    /**
     * The same outboxes, except that a push has no task if its author has no followers in the graph beside them. In a
     * cluster it has one.
     */
    public Outbox forFollowers() {
        return link.isCluster() ? this : new RedisOutbox(this, writes.forFollowers());
    }

    @Override
    public List<Appended> append(List<Publication> publications) {
        return writes.append(publications);
    }

    @Override
    public List<Appended> appendImported(List<Post> posts, FanoutMode mode) {
        return writes.appendImported(posts, mode);
    }

    @Override
    public List<Boolean> delete(List<PostKey> posts) {
        return writes.delete(posts);
    }

    @Override
    public String identity() {
        return identity.get();
    }

    /** Reads the packed recent posts of pulled authors first. Other authors have no packed posts. */
    @Override
    public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
        boolean cacheable = range.below().equals(Position.HIGHEST) && each <= RecentPosts.POSTS;
        Map<Boolean, List<String>> split =
                authors.stream().collect(Collectors.partitioningBy(author -> cacheable && pulled.wasPulled(author)));
        List<String> cached = split.getOrDefault(true, List.of());
        List<String> others = split.getOrDefault(false, List.of());
        Supplier<List<List<Post>>> asked = recentPosts.newest(cached, range.from(), each);
        Map<String, List<Post>> answers = new HashMap<>();
        List<RangeQuery> queries = others.stream()
                .map(author -> new RangeQuery(author, range, each))
                .toList();
        putAll(answers, others, ranges.read("outbox.newest", queries, Order.NEWEST_FIRST));
        putAll(answers, cached, asked.get());
        return authors.stream()
                .map(author -> answers.getOrDefault(author, List.of()))
                .toList();
    }

    private static void putAll(Map<String, List<Post>> answers, List<String> authors, List<List<Post>> posts) {
        for (int i = 0; i < authors.size(); i++) {
            answers.put(authors.get(i), posts.get(i));
        }
    }

    @Override
    public List<Post> page(PageQuery query) {
        return new PostPageReader(ranges, query).read();
    }

    @Override
    public Map<PostKey, Post> existing(Collection<PostKey> posts) {
        Map<PostKey, Post> existing = new HashMap<>();
        scores("outbox.existing", posts).forEach((key, score) -> {
            if (score >= 0) {
                existing.put(key, Post.of(key.author(), key.id(), score.longValue()));
            }
        });
        return Collections.unmodifiableMap(existing);
    }

    @Override
    public Set<PostKey> tombstones(Collection<PostKey> posts) {
        return scores("outbox.tombstones", posts).entrySet().stream()
                .filter(entry -> entry.getValue() < 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The scores of posts and tombstones. A tombstone has a negative score. */
    private Map<PostKey, Double> scores(String operation, Collection<PostKey> posts) {
        Map<String, Set<PostKey>> byAuthor = new LinkedHashMap<>();
        posts.forEach(key -> byAuthor.computeIfAbsent(key.author(), author -> new LinkedHashSet<>())
                .add(key));
        List<List<PostKey>> asked = new ArrayList<>();
        for (Set<PostKey> ofAuthor : byAuthor.values()) {
            List<PostKey> all = List.copyOf(ofAuthor);
            for (int from = 0; from < all.size(); from += READ_AT_ONCE) {
                asked.add(all.subList(from, Math.min(from + READ_AT_ONCE, all.size())));
            }
        }
        List<List<Double>> answers = link.runAll(
                operation, Effect.READ, asked.stream().map(this::scores).toList());
        Map<PostKey, Double> scores = new HashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            for (int j = 0; j < asked.get(i).size(); j++) {
                Double score = answers.get(i).get(j);
                if (score != null) {
                    scores.put(asked.get(i).get(j), score);
                }
            }
        }
        return scores;
    }

    private Call<List<Double>> scores(List<PostKey> ofAuthor) {
        return OutboxCommands.scores(
                keys.ofAuthor("posts", ofAuthor.get(0).author()),
                ofAuthor.stream().map(key -> Arguments.text(key.id())).toList());
    }

    @Override
    public List<Counted> count(List<CountQuery> queries) {
        return counts.count(queries);
    }

    @Override
    public Map<String, Long> lastAppended(Collection<String> authors) {
        List<String> asked = List.copyOf(new LinkedHashSet<>(authors));
        List<byte[]> times = OutboxCommands.strings(
                link, "outbox.lastAppended", asked, Keys::partition, author -> keys.ofAuthor("last", author));
        Map<String, Long> found = new HashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            if (times.get(i).length > 0) {
                found.put(asked.get(i), Long.parseLong(new String(times.get(i), StandardCharsets.US_ASCII)));
            }
        }
        return Collections.unmodifiableMap(found);
    }

    @Override
    public void forEachAuthor(Predicate<List<String>> visitor) {
        new IdScan(link, keys).each("outbox.forEachAuthor", List.of("posts"), visitor);
    }

    @Override
    public long settledMark() {
        return log.settledMark();
    }

    @Override
    public PulledRegister pulled() {
        return pulled;
    }

    @Override
    public FanoutLog fanout() {
        return log;
    }
}
