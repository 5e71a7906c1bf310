package io.feedkit.redis.internal.inbox;

import io.feedkit.spi.Inbox.State;
import java.nio.ByteBuffer;

/** The first element of an inbox, as far as readers need it. */
record Header(State state, long generation, long mark) {

    private static final int STATE = 2;
    private static final int GENERATION = 4;
    private static final int MARK = 38;

    static Header of(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        State state = bytes[STATE] == 'L' ? State.LIVE : State.BUILDING;
        return new Header(state, buffer.getLong(GENERATION), state == State.LIVE ? buffer.getLong(MARK) : 0);
    }
}
