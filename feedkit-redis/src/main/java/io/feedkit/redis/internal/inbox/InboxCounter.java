package io.feedkit.redis.internal.inbox;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.MessagePackReader;
import io.feedkit.redis.internal.format.PositionCodec;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.Inbox.Count;
import io.feedkit.spi.Inbox.CountQuery;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** Counts entries by their places, with one script for each reader, all in one pipeline. */
final class InboxCounter {

    private static final String OPERATION = "inbox.count";
    private static final byte[] NO_BOUND = {};

    private final Link link;
    private final InboxKeys keys;
    private final ScriptClock clock;
    private final byte[] cap;

    InboxCounter(Link link, InboxKeys keys, ScriptClock clock, InboxLimits limits) {
        this.link = link;
        this.keys = keys;
        this.clock = clock;
        cap = Arguments.number(limits.cap());
    }

    List<Count> count(List<CountQuery> queries) {
        return counts(link.runAll(OPERATION, Effect.READ, calls(queries)));
    }

    Supplier<List<Count>> send(List<CountQuery> queries) {
        Supplier<List<byte[]>> answers = link.ask(OPERATION, calls(queries));
        return () -> counts(answers.get());
    }

    private List<Call<byte[]>> calls(List<CountQuery> queries) {
        return queries.stream().map(this::call).toList();
    }

    private static List<Count> counts(List<byte[]> answers) {
        List<Count> counts = new ArrayList<>(answers.size());
        for (byte[] answer : answers) {
            MessagePackReader packed = new MessagePackReader(answer);
            Slice inbox = SliceReader.withoutPosts(packed);
            int above = number(packed);
            counts.add(new Count(SliceReader.withPosts(inbox, packed, Order.NEWEST_FIRST), above));
        }
        return Collections.unmodifiableList(counts);
    }

    private Call<byte[]> call(CountQuery query) {
        List<byte[]> arguments = new ArrayList<>(List.of(
                clock.now(),
                PositionCodec.of(query.above().next()),
                Arguments.number(query.limit()),
                cap,
                query.read().isEmpty() ? NO_BOUND : PositionCodec.of(query.from())));
        query.apart().forEach((author, range) -> {
            arguments.add(PositionCodec.author(author));
            arguments.add(PositionCodec.of(range.from()));
            arguments.add(PositionCodec.of(range.below()));
        });
        return InboxScripts.COUNT.on(keys.both(query.reader()), arguments);
    }

    private static int number(MessagePackReader packed) {
        ByteBuffer digits = packed.bytes();
        return Integer.parseInt(StandardCharsets.US_ASCII.decode(digits).toString());
    }
}
