package io.feedkit.bench.live;

import io.feedkit.bench.live.PacedPosts.Publisher;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Live feeds by hand: a Redis channel for each connected reader, to which each post is published. Two connections
 * receive, for half of the readers each, and two publish.
 */
final class HandChannels implements AutoCloseable {

    private static final int PROCESSES = 2;
    private static final int SUBSCRIBED_AT_ONCE = 1000;
    private static final int CAP = 1000;

    private final FewFollowees follows;
    private final List<StatefulRedisPubSubConnection<String, String>> receiving = new ArrayList<>();
    private final List<StatefulRedisConnection<String, String>> publishing = new ArrayList<>();

    HandChannels(BenchRedis redis, FewFollowees follows, Consumer<String> onPost) {
        this.follows = follows;
        for (int i = 0; i < PROCESSES; i++) {
            StatefulRedisPubSubConnection<String, String> connection = redis.connectPubSub(StringCodec.ASCII);
            connection.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String channel, String id) {
                    onPost.accept(id);
                }
            });
            receiving.add(connection);
            subscribe(connection, i);
            StatefulRedisConnection<String, String> commands = redis.connect(StringCodec.ASCII);
            commands.setAutoFlushCommands(false);
            publishing.add(commands);
        }
        try (StatefulRedisConnection<String, String> load = redis.connect(StringCodec.ASCII)) {
            for (int author = 0; author < follows.authors(); author++) {
                load.sync().sadd(followers(FewFollowees.author(author)), readers(author));
            }
        }
    }

    private void subscribe(StatefulRedisPubSubConnection<String, String> connection, int process) {
        List<String> channels = IntStream.range(0, follows.readers())
                .filter(reader -> reader % PROCESSES == process)
                .mapToObj(reader -> channel(FewFollowees.reader(reader)))
                .toList();
        for (int from = 0; from < channels.size(); from += SUBSCRIBED_AT_ONCE) {
            connection
                    .sync()
                    .subscribe(channels.subList(from, Math.min(channels.size(), from + SUBSCRIBED_AT_ONCE))
                            .toArray(String[]::new));
        }
    }

    private String[] readers(int author) {
        return follows.followers(author).mapToObj(FewFollowees::reader).toArray(String[]::new);
    }

    private static String channel(String reader) {
        return "hand:channel:" + reader;
    }

    private static String followers(String author) {
        return "hand:followers:" + author;
    }

    /** Publishers that have all followers in memory, and only send messages. */
    List<Publisher> sendOnly() {
        String[][] readers =
                IntStream.range(0, follows.authors()).mapToObj(this::readers).toArray(String[][]::new);
        return publishing.stream()
                .map(connection -> (Publisher) (author, id) -> {
                    List<RedisFuture<?>> sent = new ArrayList<>();
                    for (String reader : readers[author]) {
                        sent.add(connection.async().publish(channel(reader), id));
                    }
                    await(connection, sent);
                })
                .toList();
    }

    /** Publishers that also store: the post in its author's list, and in the lists of the followers, a set. */
    List<Publisher> storing() {
        return publishing.stream()
                .map(connection -> (Publisher) (author, id) -> store(connection, FewFollowees.author(author), id))
                .toList();
    }

    private static void store(StatefulRedisConnection<String, String> connection, String author, String id) {
        RedisAsyncCommands<String, String> commands = connection.async();
        RedisFuture<Set<String>> followers = commands.smembers(followers(author));
        await(connection, List.of(commands.lpush("hand:outbox:" + author, id), followers));
        List<RedisFuture<?>> sent = new ArrayList<>();
        for (String reader : followers.toCompletableFuture().join()) {
            String inbox = "hand:inbox:" + reader;
            sent.add(commands.lpush(inbox, author + " " + id));
            sent.add(commands.ltrim(inbox, 0, CAP - 1));
            sent.add(commands.publish(channel(reader), id));
        }
        await(connection, sent);
    }

    private static void await(StatefulRedisConnection<String, String> connection, List<RedisFuture<?>> sent) {
        connection.flushCommands();
        sent.forEach(each -> each.toCompletableFuture().join());
    }

    @Override
    public void close() {
        receiving.forEach(StatefulRedisPubSubConnection::close);
        publishing.forEach(StatefulRedisConnection::close);
    }
}
