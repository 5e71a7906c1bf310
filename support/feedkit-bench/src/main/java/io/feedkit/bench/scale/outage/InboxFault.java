package io.feedkit.bench.scale.outage;

import java.util.List;
import java.util.function.Consumer;

/**
 * How the inbox store goes down, and comes back.
 *
 * @param name the name in figures
 * @param begin makes the store go down
 * @param end makes it come back
 */
record InboxFault(String name, Consumer<InboxServer> begin, Consumer<InboxServer> end) {

    /** Killed, so that the store comes back empty; stopped; and unreachable, because the network loses all packets. */
    static final List<InboxFault> ALL = List.of(
            new InboxFault("killed", InboxServer::kill, InboxServer::restart),
            new InboxFault("frozen", InboxServer::freeze, InboxServer::thaw),
            new InboxFault("black-holed", InboxServer::blackHole, InboxServer::pass));
}
