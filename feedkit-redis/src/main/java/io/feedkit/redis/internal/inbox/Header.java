package io.feedkit.redis.internal.inbox;

import io.feedkit.spi.Inbox.State;
import java.nio.ByteBuffer;

/** The first element of an inbox, as far as readers need it. */
record Header(State state, long generation, long mark) {

    private static final int STATE = 2;
    private static final int GENERATION = 4;
    private static final int MARK = 38;

    static Header of(ByteBuffer bytes) {
        State state = bytes.get(STATE) == 'L' ? State.LIVE : State.BUILDING;
        return new Header(state, bytes.getLong(GENERATION), state == State.LIVE ? bytes.getLong(MARK) : 0);
    }
}
