package io.feedkit.redis.internal.log;

import io.feedkit.redis.internal.layout.Arguments;
import io.feedkit.redis.internal.layout.ByPartition;
import io.feedkit.redis.internal.layout.ByPartition.Share;
import io.feedkit.redis.internal.layout.Keys;
import io.feedkit.redis.internal.layout.Timer;
import io.feedkit.redis.internal.link.Call;
import io.feedkit.redis.internal.link.Effect;
import io.feedkit.redis.internal.link.RedisLink;
import io.feedkit.spi.FanoutLog.Claim;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Leases tasks in two steps: looks at what has been due longest in every partition, and then takes those that come first, each only if it is still where it was seen. So
 * the order is that of one queue, although no script sees more than a partition.
 */
final class Claims {

    /** Tasks that one script takes. */
    private static final int AT_ONCE = 100;

    private final RedisLink link;
    private final LogKeys keys;
    private final Timer timer;

    Claims(RedisLink link, LogKeys keys, Timer timer) {
        this.link = link;
        this.keys = keys;
        this.timer = timer;
    }

    /** Goes on as long as others are faster, and there is more. */
    List<Claim> claim(int max, long leaseMillis) {
        List<Claim> claims = new ArrayList<>();
        while (claims.size() < max) {
            List<Place> places = firstDue(max - claims.size());
            if (places.isEmpty()) {
                break;
            }
            claims.addAll(take(places, leaseMillis));
        }
        return Collections.unmodifiableList(claims);
    }

    /** The places of the tasks that have been due longest, whatever partition they are in. */
    private List<Place> firstDue(int max) {
        List<Integer> all = IntStream.range(0, Keys.PARTITIONS).boxed().toList();
        int some = Math.min(max, 2 * max / Keys.PARTITIONS + 1);
        List<List<Place>> queues = new ArrayList<>(peek(all, some));
        List<Place> first = first(queues, max);
        List<Integer> open = all.stream()
                .filter(partition -> mayHaveMore(queues.get(partition), some, first, max))
                .toList();
        if (open.isEmpty() || some == max) {
            return first;
        }
        List<List<Place>> more = peek(open, max);
        for (int i = 0; i < more.size(); i++) {
            queues.set(open.get(i), more.get(i));
        }
        return first(queues, max);
    }

    /** Whether a partition of which only a part was seen may have something that comes before the last of the first. */
    private static boolean mayHaveMore(List<Place> seen, int some, List<Place> first, int max) {
        return seen.size() == some
                && (first.size() < max || Place.IN_ORDER.compare(seen.get(some - 1), first.get(max - 1)) < 0);
    }

    private static List<Place> first(List<List<Place>> queues, int max) {
        return queues.stream()
                .flatMap(List::stream)
                .sorted(Place.IN_ORDER)
                .limit(max)
                .toList();
    }

    private List<List<Place>> peek(List<Integer> partitions, int most) {
        List<byte[]> arguments = List.of(timer.now(), Arguments.number(most));
        List<Call<List<Object>>> calls = partitions.stream()
                .map(partition -> Scripts.PEEK.on(keys.of(partition), arguments))
                .toList();
        List<List<Object>> answers = link.runAll("log.claim", Effect.READ, calls);
        return answers.stream()
                .map(answer ->
                        answer.stream().map(place -> new Place((byte[]) place)).toList())
                .toList();
    }

    private List<Claim> take(List<Place> places, long leaseMillis) {
        long token = Arguments.newToken();
        List<byte[]> same = List.of(timer.now(), Arguments.millis(leaseMillis), Arguments.token(token));
        ByPartition<Place> split = ByPartition.of(places, Place::partition, AT_ONCE);
        List<List<Object>> answers = link.runAll("log.claim", Effect.WRITE, split.each(share -> call(share, same)));
        List<Object> records = split.inPlace(answers);
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            byte[] record = (byte[]) records.get(i);
            if (record.length > 0) {
                claims.add(new Claim(TaskBytes.task(places.get(i).id(), ByteBuffer.wrap(record)), token));
            }
        }
        return claims;
    }

    private Call<List<Object>> call(Share<Place> share, List<byte[]> same) {
        return Scripts.CLAIM.on(keys.of(share.partition()), share.values(same, place -> List.of(place.bytes)));
    }

    /** A member of a queue: when the task is due, its turn among those due then, its id. */
    private static final class Place {

        private static final int BEFORE_ID = 14;
        private static final Comparator<Place> IN_ORDER = (a, b) -> Arrays.compareUnsigned(a.bytes, b.bytes);

        private final byte[] bytes;

        Place(byte[] bytes) {
            this.bytes = bytes;
        }

        String id() {
            return new String(bytes, BEFORE_ID, bytes.length - BEFORE_ID, StandardCharsets.US_ASCII);
        }

        int partition() {
            return TaskIds.partition(id());
        }
    }
}
