package io.feedkit.redis.internal.log;

import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.PositionCodec;
import io.feedkit.spi.FanoutLog.Dead;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Outage;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister.Entry;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encodes tasks. Scripts read the first part: end of the lease, lease, attempts, outage, version, kind, creation,
 * cursor and group. Only one task of a group may exist at a time. Only Java reads the tail: the range of the followers,
 * the oldest position if it differs from the newest, and the newest position.
 */
public final class TaskCodec {

    private static final byte VERSION = 1;
    private static final int ATTEMPTS = 14;
    private static final int OUTAGE = 16;
    private static final int OUTAGE_SINCE = 18;
    private static final int HEAD = 24;
    private static final int CREATED = 26;
    private static final int CURSOR = 32;
    private static final int TIME_BYTES = 6;
    private static final byte[] NO_GROUP = {};

    /** The letters of tasks that have an oldest position. */
    private static final String RANGES = "CIM";

    /** The beginning of the tail of every task about one post: no group, all followers. */
    private static final byte[] ONE_POST = tail(NO_GROUP, KeyRange.ALL).toByteArray();

    private TaskCodec() {}

    /** The letter of a task about imported posts. */
    public static byte[] imported(boolean pushed) {
        return Arguments.text(pushed ? "I" : "M");
    }

    /** The letter of a kind. */
    public static byte[] kind(Kind kind) {
        return Arguments.text(
                switch (kind) {
                    case PUSH -> "P";
                    case PULL -> "L";
                    case PUSH_ACTIVE -> "A";
                    case RETRACT -> "R";
                    case RETRACT_LATER -> "S";
                    case CATCH_UP -> "C";
                    case IMPORT -> "I";
                });
    }

    /** The kind of a letter. A small letter marks a task that was restarted. */
    static Kind kind(byte letter) {
        return switch (letter) {
            case 'P', 'p' -> Kind.PUSH;
            case 'L', 'l', 'M' -> Kind.PULL;
            case 'A' -> Kind.PUSH_ACTIVE;
            case 'R' -> Kind.RETRACT;
            case 'S' -> Kind.RETRACT_LATER;
            case 'C' -> Kind.CATCH_UP;
            case 'I' -> Kind.IMPORT;
            default -> throw new IllegalStateException("unknown kind of task " + (char) letter);
        };
    }

    /** The group of a catch-up, of which only one may exist at a time. */
    static byte[] group(String author, long version) {
        ByteArrayOutputStream group = new ByteArrayOutputStream();
        group.writeBytes(Arguments.token(version));
        group.writeBytes(Arguments.text(author));
        return group.toByteArray();
    }

    /** The tail of a new task about one post. It ends with the position. */
    public static byte[] tail(byte[] position) {
        byte[] tail = Arrays.copyOf(ONE_POST, ONE_POST.length + position.length);
        System.arraycopy(position, 0, tail, ONE_POST.length, position.length);
        return tail;
    }

    static byte[] tail(byte[] group, Entry entry) {
        return tail(group, KeyRange.ALL, entry.oldest(), entry.newest());
    }

    /** The tail of a part of a task. */
    static byte[] tail(Task whole, KeyRange range) {
        return switch (whole.kind()) {
            case CATCH_UP -> tail(group(whole.author(), whole.version()), range, whole.oldest(), whole.newest());
            case IMPORT -> tail(NO_GROUP, range, whole.oldest(), whole.newest());
            default ->
                whole.oldest().equals(whole.newest())
                        ? tail(NO_GROUP, range, PositionCodec.of(whole.newest()))
                        : tail(NO_GROUP, range, whole.oldest(), whole.newest());
        };
    }

    private static byte[] tail(byte[] group, KeyRange range, Position oldest, Position newest) {
        ByteArrayOutputStream tail = tail(group, range);
        add(tail, PositionCodec.of(oldest));
        tail.writeBytes(PositionCodec.of(newest));
        return tail.toByteArray();
    }

    private static byte[] tail(byte[] group, KeyRange range, byte[] position) {
        ByteArrayOutputStream tail = tail(group, range);
        tail.writeBytes(position);
        return tail.toByteArray();
    }

    private static ByteArrayOutputStream tail(byte[] group, KeyRange range) {
        ByteArrayOutputStream tail = new ByteArrayOutputStream();
        add(tail, group);
        add(tail, Arguments.text(range.from()));
        add(tail, Arguments.text(range.below()));
        return tail;
    }

    private static void add(ByteArrayOutputStream bytes, byte[] value) {
        bytes.write(value.length);
        bytes.writeBytes(value);
    }

    /** The task of an element of the fresh tasks: its place, and what follows the outage in a record. */
    static Task fresh(byte[] element) {
        QueueKey place = QueueKey.ofFresh(element);
        int rest = element.length - place.bytes().length;
        byte[] record = new byte[HEAD + rest];
        System.arraycopy(element, place.bytes().length, record, HEAD, rest);
        return task(place.id(), record);
    }

    static Task task(String id, byte[] record) {
        return task(id, ByteBuffer.wrap(record));
    }

    /** The task of a record. */
    static Task task(String id, ByteBuffer record) {
        int start = record.position();
        if (record.get(start + HEAD) != VERSION) {
            throw new IllegalStateException("the record of task " + id + " does not have version 1");
        }
        byte letter = record.get(start + HEAD + 1);
        Kind kind = kind(letter);
        int attempts = Short.toUnsignedInt(record.getShort(start + ATTEMPTS));
        Outage outage =
                new Outage(Short.toUnsignedInt(record.getShort(start + OUTAGE)), millis(record, start + OUTAGE_SINCE));
        long created = millis(record, start + CREATED);
        record.position(start + CURSOR);
        String cursor = text(record);
        ByteBuffer group = ByteBuffer.wrap(next(record));
        long version = group.hasRemaining() ? group.getLong() : 0;
        KeyRange range = new KeyRange(text(record), text(record));
        boolean isRange = RANGES.indexOf(letter) >= 0;
        byte[] oldest = isRange ? next(record) : NO_GROUP;
        Position newest = PositionCodec.position(rest(record));
        return new Task(
                id,
                kind,
                isRange ? PositionCodec.position(oldest) : newest,
                newest,
                version,
                range,
                cursor,
                attempts,
                outage,
                created);
    }

    /** An entry among the dead letters: id, time, length of the reason, reason, record. */
    static Dead dead(byte[] entry) {
        ByteBuffer bytes = ByteBuffer.wrap(entry);
        String id = new String(entry, 0, TaskIds.LENGTH, StandardCharsets.US_ASCII);
        long died = millis(bytes, TaskIds.LENGTH);
        bytes.position(TaskIds.LENGTH + TIME_BYTES);
        byte[] reason = new byte[Short.toUnsignedInt(bytes.getShort())];
        bytes.get(reason);
        return new Dead(task(id, bytes), new String(reason, StandardCharsets.UTF_8), died);
    }

    /** A time of six bytes. */
    static long millis(ByteBuffer bytes, int at) {
        return Short.toUnsignedLong(bytes.getShort(at)) << 32 | Integer.toUnsignedLong(bytes.getInt(at + 2));
    }

    private static String text(ByteBuffer bytes) {
        return new String(next(bytes), StandardCharsets.US_ASCII);
    }

    private static byte[] next(ByteBuffer bytes) {
        byte[] value = new byte[Byte.toUnsignedInt(bytes.get())];
        bytes.get(value);
        return value;
    }

    private static byte[] rest(ByteBuffer bytes) {
        byte[] value = new byte[bytes.remaining()];
        bytes.get(value);
        return value;
    }
}
