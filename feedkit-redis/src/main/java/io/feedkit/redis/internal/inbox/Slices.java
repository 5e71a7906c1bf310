package io.feedkit.redis.internal.inbox;

import io.feedkit.Post;
import io.feedkit.redis.internal.layout.Arguments;
import io.feedkit.redis.internal.layout.Records;
import io.feedkit.redis.internal.layout.Timer;
import io.feedkit.redis.internal.link.Call;
import io.feedkit.redis.internal.link.Effect;
import io.feedkit.redis.internal.link.RedisLink;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads inboxes, and renews their windows. A renewal of less than a ten-thousandth of the window, and ten seconds, is not written. */
final class Slices {

    private static final long LONGEST_UNWRITTEN = 10_000;
    private static final int PARTS_OF_WINDOW = 10_000;
    private static final String EPOCH_FIELD = " epoch";

    private final RedisLink link;
    private final InboxKeys keys;
    private final Timer timer;
    private final byte[] cap;
    private final byte[] window;
    private final byte[] unwritten;

    Slices(RedisLink link, InboxKeys keys, Timer timer, InboxLimits limits) {
        this.link = link;
        this.keys = keys;
        this.timer = timer;
        cap = Arguments.number(limits.cap());
        window = Arguments.millis(limits.liveWindowMillis());
        unwritten = Arguments.millis(Math.min(limits.liveWindowMillis() / PARTS_OF_WINDOW, LONGEST_UNWRITTEN));
    }

    List<Slice> slice(List<SliceQuery> queries) {
        List<Call<List<Object>>> calls = queries.stream().map(this::call).toList();
        List<List<Object>> answers = link.runAll("inbox.slice", Effect.READ, calls);
        List<Slice> slices = new ArrayList<>(queries.size());
        for (int i = 0; i < queries.size(); i++) {
            slices.add(slice(answers.get(i), queries.get(i).order()));
        }
        return Collections.unmodifiableList(slices);
    }

    private Call<List<Object>> call(SliceQuery query) {
        return Scripts.SLICE.on(
                keys.both(query.reader()),
                List.of(
                        timer.now(),
                        Records.of(query.range().from()),
                        Records.of(query.range().below()),
                        Arguments.text(query.order() == Order.NEWEST_FIRST ? "N" : "O"),
                        Arguments.number(query.limit()),
                        Arguments.flag(query.renew()),
                        cap,
                        window,
                        unwritten));
    }

    private static Slice slice(List<?> answer, Order order) {
        byte[] header = (byte[]) answer.get(0);
        byte[] floor = (byte[]) answer.get(1);
        byte[] epochBytes = (byte[]) answer.get(2);
        long epoch = epochBytes.length == 0 ? 0 : ByteBuffer.wrap(epochBytes).getLong();
        Set<String> pending = ((List<?>) answer.get(3))
                .stream()
                        .map(field -> new String((byte[]) field, StandardCharsets.US_ASCII))
                        .filter(field -> !field.equals(EPOCH_FIELD))
                        .collect(Collectors.toSet());
        if (header.length == 0) {
            return new Slice(State.ABSENT, List.of(), Position.HIGHEST, 0, 0, epoch, pending);
        }
        Header found = Header.of(header);
        if (found.state() != State.LIVE) {
            return new Slice(found.state(), List.of(), Position.HIGHEST, found.generation(), 0, epoch, pending);
        }
        List<Post> posts = posts((List<?>) answer.get(4), order);
        return new Slice(State.LIVE, posts, Records.position(floor), found.generation(), found.mark(), epoch, pending);
    }

    /** Scripts answer with the oldest first. */
    private static List<Post> posts(List<?> records, Order order) {
        List<Post> posts = new ArrayList<>(records.size());
        records.forEach(record -> posts.add(Records.position((byte[]) record).post()));
        if (order == Order.NEWEST_FIRST) {
            Collections.reverse(posts);
        }
        return posts;
    }
}
