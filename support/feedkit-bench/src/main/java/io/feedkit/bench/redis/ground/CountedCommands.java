package io.feedkit.bench.redis.ground;

import io.lettuce.core.event.command.CommandFailedEvent;
import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.event.command.CommandStartedEvent;
import io.lettuce.core.event.command.CommandSucceededEvent;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;

/**
 * Counts a client's commands, scripts and round trips. A round trip is counted when a command is sent while no other is
 * under way. A batch that is written at once is one round trip. With calls of several threads the count of round trips
 * is meaningless. Thread-safe.
 */
public final class CountedCommands implements CommandListener {

    /**
     * The counts so far.
     *
     * @param commands all commands, scripts included
     * @param scripts the commands that run a script
     * @param roundTrips how often a command was sent while no other was under way
     */
    public record Counts(double commands, double scripts, double roundTrips) {

        /** The counts since earlier ones. */
        public Counts since(Counts before) {
            return new Counts(commands - before.commands, scripts - before.scripts, roundTrips - before.roundTrips);
        }
    }

    private Counts counts = new Counts(0, 0, 0);
    private long onTheirWay;

    public synchronized Counts counts() {
        return counts;
    }

    @Override
    public synchronized void commandStarted(CommandStartedEvent event) {
        ProtocolKeyword type = event.getCommand().getType();
        boolean script = type == CommandType.EVALSHA || type == CommandType.EVAL;
        counts = new Counts(
                counts.commands + 1, counts.scripts + (script ? 1 : 0), counts.roundTrips + (onTheirWay == 0 ? 1 : 0));
        onTheirWay++;
    }

    @Override
    public synchronized void commandSucceeded(CommandSucceededEvent event) {
        onTheirWay--;
    }

    @Override
    public synchronized void commandFailed(CommandFailedEvent event) {
        onTheirWay--;
    }
}
