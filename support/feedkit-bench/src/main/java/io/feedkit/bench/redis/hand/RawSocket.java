package io.feedkit.bench.redis.hand;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedkit.Post;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.internal.inbox.DeliveryBridge;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Sends the commands of deliveries over a bare socket, encoded beforehand except for the post. The remaining cost is
 * that of the server and the network.
 */
public final class RawSocket implements AutoCloseable {

    private static final int CALLS_AT_ONCE = 50;

    private record Call(ByteArrayOutputStream head, int readers) {}

    private final BareSocket socket;
    private final List<Call> calls = new ArrayList<>();
    private final int readers;

    public RawSocket(BenchRedis redis, List<String> readers) {
        this.readers = readers.size();
        for (List<String> chunk : DeliveryBridge.chunks(readers)) {
            List<byte[]> keys = DeliveryBridge.keys(RedisInboxes.DEFAULT_PREFIX, chunk);
            List<byte[]> parts = new ArrayList<>();
            parts.add("EVALSHA".getBytes(US_ASCII));
            parts.add(DeliveryBridge.digest().getBytes(US_ASCII));
            parts.add(Integer.toString(chunk.size()).getBytes(US_ASCII));
            parts.addAll(keys);
            int arguments = arguments(Post.of("none", "none", 1), chunk.size()).size();
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            BareSocket.begin(head, parts, arguments);
            calls.add(new Call(head, chunk.size()));
        }
        socket = new BareSocket(redis);
    }

    /** Delivers a post to all readers, with two batches of calls under way. */
    public int deliver(Post post) {
        Map<Integer, ByteArrayOutputStream> tails = new HashMap<>();
        for (Call call : calls) {
            tails.computeIfAbsent(call.readers(), to -> {
                ByteArrayOutputStream tail = new ByteArrayOutputStream();
                arguments(post, to).forEach(part -> BareSocket.append(tail, part));
                return tail;
            });
        }
        try {
            int answered = 0;
            for (int from = 0; from < calls.size(); from += CALLS_AT_ONCE) {
                int to = Math.min(from + CALLS_AT_ONCE, calls.size());
                ByteArrayOutputStream batch = new ByteArrayOutputStream(BareSocket.BUFFER);
                for (Call call : calls.subList(from, to)) {
                    call.head().writeTo(batch);
                    Objects.requireNonNull(tails.get(call.readers())).writeTo(batch);
                }
                socket.send(batch);
                while (answered < from) {
                    takeAnswer(calls.get(answered++));
                }
            }
            while (answered < calls.size()) {
                takeAnswer(calls.get(answered++));
            }
            return readers;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void takeAnswer(Call call) throws IOException {
        String line = socket.line();
        if (!line.equals("$" + call.readers())) {
            throw new IOException("unexpected answer " + line);
        }
        byte[] outcomes = socket.bytes(call.readers());
        for (int i = 0; i < call.readers(); i++) {
            if (outcomes[i] != 'A') {
                throw new IOException("unexpected outcome " + (char) outcomes[i]);
            }
        }
    }

    private static List<byte[]> arguments(Post post, int to) {
        return DeliveryBridge.arguments(post, to, FullInboxes.LIMITS);
    }

    @Override
    public void close() {
        socket.close();
    }
}
