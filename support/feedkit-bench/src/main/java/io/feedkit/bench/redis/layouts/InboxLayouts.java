package io.feedkit.bench.redis.layouts;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.hand.HandPipeline;
import io.feedkit.testservers.Durability;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The memory and processor time of possible structures of an inbox, as the server reports them, against a sorted set of
 * ids.
 */
public final class InboxLayouts implements Measurement {

    private static final int INBOXES = 1000;
    private static final int ADDED_A_ROUND = 60;
    private static final int READ_A_ROUND = 15;
    private static final int AT_ONCE = 100;
    private static final int FLUSHED = 200;
    private static final double MICROS = 1_000_000;

    /** The memory and time that a server used for one layout. */
    private record Used(double filled, double bytes, double adding, double reading) {}

    @Override
    public String name() {
        return "layouts";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        List<Figure> figures = new ArrayList<>();
        Used baseline = used(Layout.SET_OF_IDS, scale.rounds());
        for (Layout layout : Layout.values()) {
            Used used = used(layout, scale.rounds());
            figures.add(figure(layout, "an entry, once filled", "bytes", used.filled(), baseline.filled()));
            figures.add(figure(layout, "an entry, after adding", "bytes", used.bytes(), baseline.bytes()));
            figures.add(figure(layout, "adding the newest", "us", used.adding(), baseline.adding()));
            figures.add(figure(layout, "reading the newest 20", "us", used.reading(), baseline.reading()));
        }
        return figures;
    }

    private Figure figure(Layout layout, String what, String unit, double value, double baseline) {
        String words = name() + ": " + layout.words() + ": " + what + " (against a sorted set of ids)";
        return new Figure(words, unit, value, baseline, Target.NONE);
    }

    private static Used used(Layout layout, int rounds) {
        List<byte[]> inboxes = IntStream.range(0, INBOXES)
                .mapToObj(i -> ("inbox:" + MadeUpGraph.user(i)).getBytes(US_ASCII))
                .toList();
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                StatefulRedisConnection<byte[], byte[]> connection = redis.connect(ByteArrayCodec.INSTANCE)) {
            double before = number(connection, "memory", "used_memory");
            send(connection, inboxes.stream().map(inbox -> layout.fill(connection.async(), inbox)));
            double filled = number(connection, "memory", "used_memory") - before;

            String script = connection.sync().scriptLoad(layout.script());
            byte[][] keys = inboxes.stream().map(layout::key).toArray(byte[][]::new);
            double idle = processorSeconds(connection);
            send(
                    connection,
                    IntStream.range(0, rounds * ADDED_A_ROUND)
                            .boxed()
                            .flatMap(i -> chunks(keys)
                                    .map(chunk -> List.of(connection
                                            .async()
                                            .evalsha(
                                                    script,
                                                    ScriptOutputType.STATUS,
                                                    chunk,
                                                    Layout.entry(Layout.ENTRIES + i))))));
            double added = processorSeconds(connection);
            send(
                    connection,
                    IntStream.range(0, rounds * READ_A_ROUND)
                            .boxed()
                            .flatMap(i -> Stream.of(keys).map(key -> List.of(layout.newest(connection.async(), key)))));
            double read = processorSeconds(connection);
            double bytes = number(connection, "memory", "used_memory") - before;
            return new Used(
                    filled / INBOXES / Layout.ENTRIES,
                    bytes / INBOXES / Layout.ENTRIES,
                    MICROS * (added - idle) / (rounds * ADDED_A_ROUND * INBOXES),
                    MICROS * (read - added) / (rounds * READ_A_ROUND * INBOXES));
        }
    }

    private static Stream<byte[][]> chunks(byte[][] keys) {
        return IntStream.range(0, keys.length / AT_ONCE)
                .mapToObj(i -> Arrays.copyOfRange(keys, i * AT_ONCE, (i + 1) * AT_ONCE));
    }

    /** Flushes some commands at a time, and waits for all answers. */
    private static void send(
            StatefulRedisConnection<byte[], byte[]> connection,
            Stream<? extends List<? extends RedisFuture<?>>> calls) {
        connection.setAutoFlushCommands(false);
        List<RedisFuture<?>> batch = new ArrayList<>();
        calls.forEach(answers -> {
            batch.addAll(answers);
            if (batch.size() >= FLUSHED) {
                flush(connection, batch);
            }
        });
        flush(connection, batch);
        connection.setAutoFlushCommands(true);
    }

    private static void flush(StatefulRedisConnection<byte[], byte[]> connection, List<RedisFuture<?>> batch) {
        connection.flushCommands();
        HandPipeline.await(batch);
        batch.clear();
    }

    private static double processorSeconds(StatefulRedisConnection<byte[], byte[]> connection) {
        return number(connection, "cpu", "used_cpu_sys") + number(connection, "cpu", "used_cpu_user");
    }

    private static double number(StatefulRedisConnection<byte[], byte[]> connection, String section, String name) {
        return connection
                .sync()
                .info(section)
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .sum();
    }
}
