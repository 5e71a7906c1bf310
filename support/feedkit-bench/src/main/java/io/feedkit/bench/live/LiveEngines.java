package io.feedkit.bench.live;

import io.feedkit.FeedEngine;
import io.feedkit.bench.live.PacedPosts.Publisher;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisLiveBus;
import io.feedkit.redis.RedisServers;
import java.util.ArrayList;
import java.util.List;

/** Two engines with clients of their own, half of the readers connected to each, and a bus in Redis. */
final class LiveEngines implements AutoCloseable {

    private static final int ENGINES = 2;

    private final List<FeedEngine> engines = new ArrayList<>();
    private final List<RedisFeedStore> stores = new ArrayList<>();
    private final List<RedisLiveBus> buses = new ArrayList<>();
    private final PostSubscribers subscribers;

    LiveEngines(BenchRedis redis, FewFollowees follows, PacedPosts posts) {
        subscribers = new PostSubscribers(post -> posts.arrived(post.id()));
        for (int i = 0; i < ENGINES; i++) {
            RedisFeedStore store = redis.store();
            RedisLiveBus bus = RedisLiveBus.create(RedisServers.at(redis.uri()));
            buses.add(bus);
            stores.add(store);
            engines.add(FeedEngine.builder(store)
                    .name("live" + i)
                    .live(live -> live.bus(bus))
                    .build());
            if (i == 0) {
                for (int author = 0; author < follows.authors(); author++) {
                    store.graph().add(follows.edges(author));
                }
            }
        }
        for (int reader = 0; reader < follows.readers(); reader++) {
            subscribers.add(engines.get(reader % ENGINES), FewFollowees.reader(reader));
        }
        // One post of each author: all feeds are connected when their events have arrived.
        posts.publish(follows.authors(), follows.authors(), publishers());
    }

    /** One for each engine. */
    List<Publisher> publishers() {
        return engines.stream()
                .map(engine -> (Publisher) (author, id) -> engine.publish(FewFollowees.author(author), id))
                .toList();
    }

    @Override
    public void close() {
        engines.forEach(FeedEngine::close);
        buses.forEach(RedisLiveBus::close);
        stores.forEach(RedisFeedStore::close);
        subscribers.requireNoFailure();
    }
}
