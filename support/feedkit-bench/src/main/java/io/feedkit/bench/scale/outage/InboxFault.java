package io.feedkit.bench.scale.outage;

import java.util.List;
import java.util.function.Consumer;

/**
 * How the inbox store goes down, and comes back.
 *
 * @param name what it is called in figures
 * @param begin makes it go down
 * @param end makes it come back
 */
record InboxFault(String name, Consumer<InboxServer> begin, Consumer<InboxServer> end) {

    /** Killed, so that it comes back empty; stopped; and out of reach of a network that loses whatever is sent. */
    static final List<InboxFault> ALL = List.of(
            new InboxFault("killed", InboxServer::kill, InboxServer::restart),
            new InboxFault("frozen", InboxServer::freeze, InboxServer::thaw),
            new InboxFault("black-holed", InboxServer::blackHole, InboxServer::pass));
}
