package io.feedkit.redis;

import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.connection.Servers;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The parts that stores are made of, on the shared server, under a prefix of their own, with a clock that tests set.
 */
public final class TestRedis implements AutoCloseable {

    private final String prefix = TestInboxes.newPrefix();
    private final Keys keys = new Keys(prefix);
    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final RedisLink link;

    public TestRedis() {
        this(RedisServer.shared().uri());
    }

    /** On another server. */
    public TestRedis(String uri) {
        link = RedisLink.open(Servers.of(uri), Optional.empty(), Duration.ofSeconds(10));
    }

    /** The prefix of all keys. */
    String prefix() {
        return prefix;
    }

    public RedisLink link() {
        return link;
    }

    public Keys keys() {
        return keys;
    }

    public ScriptClock timer() {
        return new ScriptClock(Optional.of(clock));
    }

    public SettableClock clock() {
        return clock;
    }

    /** Commands that bypass the stores, on the shared server. */
    public static RedisCommands<String, String> commands() {
        return TestInboxes.commands();
    }

    /** All keys under the prefix. */
    public List<String> allKeys() {
        return commands().keys(prefix + ":*");
    }

    /** Makes a user with the password {@code secret}, who may run any command on some keys. Returns the name. */
    public String allowed(String... patterns) {
        AclSetuserArgs rights =
                AclSetuserArgs.Builder.on().addPassword("secret").allCommands();
        for (String pattern : patterns) {
            rights.keyPattern(prefix + pattern);
        }
        commands().aclSetuser("user-of-" + prefix, rights);
        return "user-of-" + prefix;
    }

    /** The name of a key as text. */
    public static String text(byte[] key) {
        return new String(key, StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        link.close();
    }
}
