package io.feedkit.bench.scale.register;

import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The cost of engines whose source of truth, with a large register, is on a server. Inboxes and follows are in memory,
 * so the engines read only the register and recent posts from the server.
 *
 * @param name the name in figures
 * @param servers starts a server
 * @param mostCpu the highest cost of a hundred engines allowed on the server, in % of a core
 */
public record ServerRegister(String name, Supplier<SourceServer> servers, double mostCpu) implements Measurement {

    private static final double POSTGRES_CPU = 8;
    private static final double REDIS_CPU = 2;

    public static Measurement inPostgres() {
        return new ServerRegister("register in PostgreSQL", PostgresSource::new, POSTGRES_CPU);
    }

    public static Measurement inRedis() {
        return new ServerRegister("register in Redis", RedisSource::new, REDIS_CPU);
    }

    @Override
    public List<Figure> measure(Scale scale) {
        List<Figure> figures = new ArrayList<>();
        try (SourceServer server = servers.get()) {
            CountedQuestions counted = new CountedQuestions(server.readers());
            try (RegisterFeed feed = new RegisterFeed(server.writers(), counted, RegisterFeed.large(scale))) {
                figures.add(new HeldByEngine(server, RegisterFeed.large(scale)).figure(name));
                feed.drain();
                server.settle();
                figures.add(pageAfterChanges(scale, feed));
                figures.addAll(new EngineLoad(server, feed, mostCpu).figures(name, scale));
                figures.add(new SharedQuestions(feed, counted).figure(name, scale));
            }
        }
        return figures;
    }

    private Figure pageAfterChanges(Scale scale, RegisterFeed large) {
        try (SourceServer server = servers.get();
                RegisterFeed small = new RegisterFeed(server.writers(), server.readers(), RegisterFeed.SMALL)) {
            small.drain();
            server.settle();
            return PageAfterChanges.figure(name, scale, large, small);
        }
    }
}
