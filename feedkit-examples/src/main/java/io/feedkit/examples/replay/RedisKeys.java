package io.feedkit.examples.replay;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.api.sync.RedisCommands;

/** The keys of a run on a Redis server. */
final class RedisKeys {

    private static final int AT_ONCE = 1000;

    private RedisKeys() {}

    /** Removes all that is under a prefix. */
    static void remove(RedisURI uri, String prefix) {
        RedisClient client = RedisClient.create(uri);
        try {
            RedisCommands<String, String> redis = client.connect().sync();
            ScanArgs ours = ScanArgs.Builder.matches(prefix + ":*").limit(AT_ONCE);
            KeyScanCursor<String> found = redis.scan(ours);
            while (true) {
                if (!found.getKeys().isEmpty()) {
                    redis.unlink(found.getKeys().toArray(String[]::new));
                }
                if (found.isFinished()) {
                    return;
                }
                found = redis.scan(found, ours);
            }
        } finally {
            client.shutdown();
        }
    }
}
