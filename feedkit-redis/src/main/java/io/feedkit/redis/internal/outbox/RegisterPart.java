package io.feedkit.redis.internal.outbox;

import io.feedkit.PostKey;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.PositionCodec;
import io.feedkit.spi.PulledRegister.Entry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the register has in one partition.
 *
 * @param token renewed by every change; 0 before the first
 */
record RegisterPart(long token, Map<String, Entry> pulled, Set<PostKey> retracting) {

    static final RegisterPart EMPTY = new RegisterPart(0, Map.of(), Set.of());

    private static final byte VERSION = 1;

    /** Before the length of the oldest position of an entry: the format's version, and the entry's. */
    private static final int ENTRY_HEADER = 1 + Long.BYTES;

    /** How a post stands among those being retracted. No id has a space. */
    static byte[] retracting(PostKey key) {
        return Arguments.text(key.author() + " " + key.id());
    }

    static long token(byte[] stored) {
        return stored.length == 0 ? 0 : ByteBuffer.wrap(stored).getLong();
    }

    /** This, and what a page found besides: fields and values, members. */
    RegisterPart and(List<?> entries, List<?> members) {
        Map<String, Entry> allPulled = new HashMap<>(pulled);
        for (int i = 0; i < entries.size(); i += 2) {
            allPulled.put(text(entries.get(i)), entry((byte[]) entries.get(i + 1)));
        }
        Set<PostKey> allRetracting = new HashSet<>(retracting);
        for (Object member : members) {
            String key = text(member);
            int space = key.indexOf(' ');
            allRetracting.add(new PostKey(key.substring(0, space), key.substring(space + 1)));
        }
        return new RegisterPart(token, allPulled, allRetracting);
    }

    private static Entry entry(byte[] value) {
        ByteBuffer bytes = ByteBuffer.wrap(value);
        if (bytes.get() != VERSION) {
            throw new IllegalStateException("not an entry of version 1");
        }
        long version = bytes.getLong();
        int newest = ENTRY_HEADER + 1 + Byte.toUnsignedInt(bytes.get());
        return new Entry(
                PositionCodec.position(Arrays.copyOfRange(value, ENTRY_HEADER + 1, newest)),
                PositionCodec.position(value, newest),
                version);
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.US_ASCII);
    }
}
