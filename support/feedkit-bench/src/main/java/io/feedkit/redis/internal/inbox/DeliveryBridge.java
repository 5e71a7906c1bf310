package io.feedkit.redis.internal.inbox;

import io.feedkit.Post;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.redis.internal.format.PositionCodec;
import io.feedkit.spi.InboxLimits;
import java.util.List;
import org.jspecify.annotations.NullMarked;

/** Lets benchmarks, which run on the class path, send the commands of a delivery. */
@NullMarked
public final class DeliveryBridge {

    private DeliveryBridge() {}

    /**
     * The readers of each call.
     *
     * @param readers readers
     * @return the same, in chunks
     */
    public static List<List<String>> chunks(List<String> readers) {
        return PartitionBatcher.of(readers, reader -> 0, BatchDelivery.READERS).each(PartitionBatcher.Batch::items);
    }

    /**
     * The digest of the script, as the server knows it after a first delivery.
     *
     * @return forty hexadecimal digits
     */
    public static String digest() {
        return InboxScripts.DELIVER.digest();
    }

    /**
     * The keys of a call.
     *
     * @param prefix the prefix of the store
     * @param readers a chunk
     * @return the keys
     */
    public static List<byte[]> keys(String prefix, List<String> readers) {
        return new InboxKeys(new Keys(prefix)).inboxes(readers);
    }

    /**
     * The arguments of a call.
     *
     * @param post the post
     * @param to how many readers there are in the chunk
     * @param limits the limits of the inboxes
     * @return the arguments
     */
    public static List<byte[]> arguments(Post post, int to, InboxLimits limits) {
        return List.of(
                new byte[0],
                Arguments.number(limits.stored()),
                Arguments.number(limits.cap()),
                PositionCodec.of(post),
                Arguments.millis(0),
                Arguments.number(to));
    }
}
