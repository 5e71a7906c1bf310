package io.feedkit.memory;

import java.time.Clock;

/** A turn that one of several callers has for a time. Thread-safe. */
final class MemoryTurn {

    private final Clock clock;
    private String holder = "";
    private long until;

    MemoryTurn(Clock clock) {
        this.clock = clock;
    }

    /** Gives a caller the turn, unless another one has it. Returns whether it has it. */
    synchronized boolean lend(String caller, long millis) {
        long now = clock.millis();
        if (!holder.equals(caller) && now < until) {
            return false;
        }
        holder = caller;
        until = now + millis;
        return true;
    }
}
