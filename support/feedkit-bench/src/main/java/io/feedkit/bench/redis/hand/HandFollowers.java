package io.feedkit.bench.redis.hand;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Followers in sorted sets on the server, paged by hand. The first pages of many authors are read in one pipeline. */
final class HandFollowers {

    private static final int PAGE = 1000;

    private final StatefulRedisConnection<String, String> connection;
    private final RedisAsyncCommands<String, String> commands;

    /** Uses a connection that does not flush by itself. */
    HandFollowers(StatefulRedisConnection<String, String> connection) {
        this.connection = connection;
        commands = connection.async();
    }

    /** All followers of each author. */
    Map<String, List<String>> of(List<String> authors) {
        List<RedisFuture<List<String>>> pages =
                authors.stream().map(author -> page(author, Range.unbounded())).toList();
        connection.flushCommands();
        Map<String, List<String>> followers = new HashMap<>();
        for (int i = 0; i < authors.size(); i++) {
            List<String> first = pages.get(i).toCompletableFuture().join();
            followers.put(authors.get(i), first.size() < PAGE ? first : andFurther(authors.get(i), first));
        }
        return followers;
    }

    private List<String> andFurther(String author, List<String> first) {
        List<String> all = new ArrayList<>(first);
        List<String> page = first;
        while (page.size() == PAGE) {
            RedisFuture<List<String>> next =
                    page(author, Range.from(Boundary.excluding(page.get(PAGE - 1)), Boundary.unbounded()));
            connection.flushCommands();
            page = next.toCompletableFuture().join();
            all.addAll(page);
        }
        return all;
    }

    private RedisFuture<List<String>> page(String author, Range<String> range) {
        return commands.zrangebylex(HandDurableReplay.followers(author), range, Limit.create(0, PAGE));
    }
}
