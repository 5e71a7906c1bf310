package io.feedkit.bench.redis.hand;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.internal.inbox.DeliveryBridge;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks for missing inboxes over a bare socket, with commands encoded beforehand. A delivery to readers without inboxes
 * cannot cost less.
 */
public final class RawLooks implements AutoCloseable {

    private static final int READERS_AT_ONCE = 5000;

    private record Batch(ByteArrayOutputStream commands, int answers) {}

    private final BareSocket socket;
    private final String answer;
    private final int readers;
    private final List<Batch> batches = new ArrayList<>();

    private RawLooks(BenchRedis redis, String answer, int readers) {
        this.socket = new BareSocket(redis);
        this.answer = answer;
        this.readers = readers;
    }

    /** One {@code LINDEX} for each reader. */
    public static RawLooks oneByOne(BenchRedis redis, List<String> readers) {
        RawLooks looks = new RawLooks(redis, "$-1", readers.size());
        List<List<byte[]>> commands = keys(readers).stream()
                .map(key -> List.of(text("LINDEX"), key, text("-1")))
                .toList();
        looks.encode(commands, READERS_AT_ONCE);
        return looks;
    }

    /** One {@code EXISTS} for the readers of one call of a delivery. */
    public static RawLooks together(BenchRedis redis, List<String> readers) {
        RawLooks looks = new RawLooks(redis, ":0", readers.size());
        List<List<String>> chunks = DeliveryBridge.chunks(readers);
        List<List<byte[]>> commands = chunks.stream()
                .map(chunk -> {
                    List<byte[]> command = new ArrayList<>(List.of(text("EXISTS")));
                    command.addAll(keys(chunk));
                    return command;
                })
                .toList();
        looks.encode(commands, READERS_AT_ONCE / chunks.get(0).size());
        return looks;
    }

    private void encode(List<List<byte[]>> commands, int atOnce) {
        for (int from = 0; from < commands.size(); from += atOnce) {
            List<List<byte[]>> some = commands.subList(from, Math.min(from + atOnce, commands.size()));
            ByteArrayOutputStream encoded = new ByteArrayOutputStream(BareSocket.BUFFER);
            some.forEach(command -> BareSocket.begin(encoded, command, 0));
            batches.add(new Batch(encoded, some.size()));
        }
    }

    /** Looks for all inboxes, with two batches of commands under way. Returns their number. */
    public int look() {
        try {
            for (int i = 0; i < batches.size(); i++) {
                socket.send(batches.get(i).commands());
                if (i > 0) {
                    takeAnswers(batches.get(i - 1));
                }
            }
            takeAnswers(batches.get(batches.size() - 1));
            return readers;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void takeAnswers(Batch batch) throws IOException {
        for (int i = 0; i < batch.answers(); i++) {
            String line = socket.line();
            if (!line.equals(answer)) {
                throw new IOException("unexpected answer " + line);
            }
        }
    }

    private static List<byte[]> keys(List<String> readers) {
        return DeliveryBridge.keys(RedisInboxes.DEFAULT_PREFIX, readers);
    }

    private static byte[] text(String word) {
        return word.getBytes(US_ASCII);
    }

    @Override
    public void close() {
        socket.close();
    }
}
