package io.feedkit.tools.inspect;

import io.lettuce.core.ScanArgs;
import java.io.PrintWriter;

/** Shows the pulled authors, and the deleted posts that are being retracted. */
final class RegisterView {

    private final Server server;
    private final PrintWriter out;
    private final int limit;

    RegisterView(Server server, PrintWriter out, int limit) {
        this.server = server;
        this.out = out;
        this.limit = limit;
    }

    void print() {
        for (int partition = 0; partition < Server.PARTITIONS; partition++) {
            print(partition);
        }
    }

    private void print(int partition) {
        String pulled = server.ofPartition("pulled", partition);
        byte[] retracting = Server.bytes(server.ofPartition("retracting", partition));
        byte[] change = server.ask().lindex(Server.bytes(server.ofPartition("register", partition)), -1);
        if (change == null) {
            return;
        }
        out.printf(
                "register   %s: last change %s, %d authors pulled, %d posts being retracted%n",
                pulled,
                Stored.of(change).hex(8),
                server.ask().hlen(Server.bytes(pulled)),
                server.ask().zcard(retracting));
        ScanArgs some = ScanArgs.Builder.limit(limit);
        server.ask().hscan(Server.bytes(pulled), some).getMap().forEach((author, entry) -> {
            Stored stored = Stored.of(entry).version(pulled);
            stored.number(8);
            out.println("  " + Stored.text(author) + ": from " + Stored.position(stored.counted()) + " to "
                    + Stored.position(stored.rest()));
        });
        server.ask()
                .zscan(retracting, some)
                .getValues()
                .forEach(post -> out.println(
                        "  retracting " + Stored.text(post.getValue()).replace(' ', '/')));
    }
}
