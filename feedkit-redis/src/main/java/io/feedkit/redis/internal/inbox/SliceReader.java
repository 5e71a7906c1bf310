package io.feedkit.redis.internal.inbox;

import io.feedkit.Post;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.MessagePackReader;
import io.feedkit.redis.internal.format.PositionCodec;
import io.feedkit.redis.internal.format.ScriptClock;
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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads slices of inboxes, and renews their windows. A renewal is not written if it would add less than a
 * ten-thousandth of the window and less than ten seconds.
 */
final class SliceReader {

    private static final long LONGEST_UNWRITTEN = 10_000;
    private static final int PARTS_OF_WINDOW = 10_000;
    private static final String EPOCH_FIELD = " epoch";
    private static final String OPERATION = "inbox.slice";
    private static final byte[] NO_BOUND = {};

    private final Link link;
    private final InboxKeys keys;
    private final ScriptClock clock;
    private final byte[] cap;
    private final byte[] window;
    private final byte[] unwritten;

    SliceReader(Link link, InboxKeys keys, ScriptClock clock, InboxLimits limits) {
        this.link = link;
        this.keys = keys;
        this.clock = clock;
        cap = Arguments.number(limits.cap());
        window = Arguments.millis(limits.liveWindowMillis());
        unwritten = Arguments.millis(Math.min(limits.liveWindowMillis() / PARTS_OF_WINDOW, LONGEST_UNWRITTEN));
    }

    List<Slice> slice(List<SliceQuery> queries) {
        return slices(queries, link.runAll(OPERATION, Effect.READ, calls(queries)));
    }

    Supplier<List<Slice>> send(List<SliceQuery> queries) {
        Supplier<List<byte[]>> answers = link.ask(OPERATION, calls(queries));
        return () -> slices(queries, answers.get());
    }

    private List<Call<byte[]>> calls(List<SliceQuery> queries) {
        return queries.stream().map(this::call).toList();
    }

    private static List<Slice> slices(List<SliceQuery> queries, List<byte[]> answers) {
        List<Slice> slices = new ArrayList<>(queries.size());
        for (int i = 0; i < queries.size(); i++) {
            slices.add(
                    slice(new MessagePackReader(answers.get(i)), queries.get(i).order()));
        }
        return Collections.unmodifiableList(slices);
    }

    private Call<byte[]> call(SliceQuery query) {
        return InboxScripts.SLICE.on(
                keys.both(query.reader()),
                List.of(
                        clock.now(),
                        bound(query.range().from(), Position.LOWEST),
                        bound(query.range().below(), Position.HIGHEST),
                        Arguments.text(query.order() == Order.NEWEST_FIRST ? "N" : "O"),
                        Arguments.number(query.limit()),
                        Arguments.flag(query.renew()),
                        cap,
                        window,
                        unwritten));
    }

    private static byte[] bound(Position position, Position none) {
        return position.equals(none) ? NO_BOUND : PositionCodec.of(position);
    }

    private static Slice slice(MessagePackReader answer, Order order) {
        return withPosts(withoutPosts(answer), answer, order);
    }

    /** Adds the posts to a slice. They are the next part of the answer. */
    static Slice withPosts(Slice found, MessagePackReader answer, Order order) {
        if (found.state() != State.LIVE) {
            return found;
        }
        return new Slice(
                State.LIVE,
                posts(answer, order),
                found.floor(),
                found.generation(),
                found.mark(),
                found.followees(),
                found.epoch(),
                found.pending());
    }

    /** Reads a slice without its posts, with which an answer begins. */
    static Slice withoutPosts(MessagePackReader answer) {
        ByteBuffer header = answer.bytes();
        ByteBuffer floor = answer.bytes();
        ByteBuffer epochBytes = answer.bytes();
        long epoch = epochBytes.hasRemaining() ? epochBytes.getLong() : 0;
        Set<String> pending = pending(answer);
        InboxHeader found = header.hasRemaining() ? InboxHeader.of(header) : InboxHeader.ABSENT;
        return new Slice(
                found.state(),
                List.of(),
                found.state() == State.LIVE ? PositionCodec.position(floor) : Position.HIGHEST,
                found.generation(),
                found.mark(),
                found.followees(),
                epoch,
                pending);
    }

    private static Set<String> pending(MessagePackReader answer) {
        Set<String> pending = new HashSet<>();
        for (int left = answer.list(); left > 0; left--) {
            pending.add(StandardCharsets.US_ASCII.decode(answer.bytes()).toString());
        }
        pending.remove(EPOCH_FIELD);
        return pending;
    }

    /** Scripts return the oldest post first. */
    private static List<Post> posts(MessagePackReader answer, Order order) {
        int count = answer.list();
        List<Post> posts = new ArrayList<>(count);
        for (int left = count; left > 0; left--) {
            posts.add(PositionCodec.position(answer.bytes()).post());
        }
        if (order == Order.NEWEST_FIRST) {
            Collections.reverse(posts);
        }
        return posts;
    }
}
