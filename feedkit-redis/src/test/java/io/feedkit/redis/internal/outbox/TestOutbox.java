package io.feedkit.redis.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.Published.Status;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.connection.Servers;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Empty outboxes on the shared server, under a prefix of their own, with a clock that tests set. */
public final class TestOutbox implements AutoCloseable {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final RedisLink link;
    private final Keys keys;
    private final RedisOutbox outbox;

    public TestOutbox() {
        this(RedisServer.shared().uri());
    }

    /** On another server. */
    public TestOutbox(String uri) {
        link = RedisLink.open(Servers.of(uri), Optional.of(Shared.RESOURCES), Duration.ofSeconds(20));
        keys = new Keys("truth" + COUNT.incrementAndGet());
        outbox = new RedisOutbox(link, keys, new ScriptClock(Optional.of(clock)));
    }

    /** Commands that bypass the store, on the shared server. */
    public static RedisCommands<String, String> commands() {
        return Shared.COMMANDS;
    }

    /** The same for bytes. */
    public static RedisCommands<byte[], byte[]> bytes() {
        return Shared.BYTES;
    }

    public RedisOutbox outbox() {
        return outbox;
    }

    /** Another store of the same data. */
    public RedisOutbox another() {
        return new RedisOutbox(link, keys, new ScriptClock(Optional.of(clock)));
    }

    public SettableClock clock() {
        return clock;
    }

    public String ofAuthor(String kind, String author) {
        return new String(keys.ofAuthor(kind, author), StandardCharsets.US_ASCII);
    }

    public String ofPartition(String kind, int partition) {
        return new String(keys.ofPartition(kind, partition), StandardCharsets.US_ASCII);
    }

    /** Some authors whose posts are in a partition. */
    public static List<String> authorsIn(int partition, int count) {
        return IntStream.iterate(1, n -> n + 1)
                .mapToObj(n -> "author-" + n)
                .filter(author -> Keys.partition(author) == partition)
                .limit(count)
                .toList();
    }

    public static int partition(String author) {
        return Keys.partition(author);
    }

    /** Appends posts that were never published before, to be pushed. */
    public void publish(Collection<Post> posts) {
        publish(posts, FanoutMode.PUSH);
    }

    public void publish(Collection<Post> posts, FanoutMode mode) {
        List<Appended> answers = outbox.append(
                posts.stream().map(post -> new Publication(post, mode)).toList());
        assertThat(answers).extracting(Appended::status).containsOnly(Status.NEW);
    }

    /** How often the server has executed a command, for whatever client. */
    public static long calls(String command) {
        String counted = commands()
                .info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":"))
                .findFirst()
                .orElse(":calls=0,");
        return Long.parseLong(counted.replaceAll("[^:]*:calls=(\\d+),.*", "$1"));
    }

    @Override
    public void close() {
        link.close();
    }

    private static final class Shared {
        static final ClientResources RESOURCES = ClientResources.create();
        static final RedisClient CLIENT = RedisClient.create(
                RESOURCES, RedisURI.create(RedisServer.shared().uri()));
        static final RedisCommands<String, String> COMMANDS = CLIENT.connect().sync();
        static final RedisCommands<byte[], byte[]> BYTES =
                CLIENT.connect(ByteArrayCodec.INSTANCE).sync();
    }
}
