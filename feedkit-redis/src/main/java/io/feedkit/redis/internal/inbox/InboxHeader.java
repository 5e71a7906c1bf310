package io.feedkit.redis.internal.inbox;

import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Inbox.Window;
import java.nio.ByteBuffer;

/** The parts of an inbox's first element that reads need. */
record InboxHeader(State state, long generation, long mark, long followees) {

    static final InboxHeader ABSENT = new InboxHeader(State.ABSENT, 0, 0, 0);

    private static final int STATE = 2;
    private static final int GENERATION = 4;
    private static final int RENEWED = 26;
    private static final int ENDS = 32;
    private static final int MARK = 38;
    private static final int FOLLOWEES = 46;

    static InboxHeader of(ByteBuffer bytes) {
        long generation = bytes.getLong(GENERATION);
        return bytes.get(STATE) == 'L'
                ? new InboxHeader(State.LIVE, generation, bytes.getLong(MARK), bytes.getLong(FOLLOWEES))
                : new InboxHeader(State.BUILDING, generation, 0, 0);
    }

    /** The live window of a header. */
    static Window window(ByteBuffer bytes) {
        return bytes.get(STATE) == 'L' ? new Window(millis(bytes, RENEWED), millis(bytes, ENDS)) : Window.UNKNOWN;
    }

    private static long millis(ByteBuffer bytes, int at) {
        return Short.toUnsignedLong(bytes.getShort(at)) << 32 | Integer.toUnsignedLong(bytes.getInt(at + 2));
    }
}
