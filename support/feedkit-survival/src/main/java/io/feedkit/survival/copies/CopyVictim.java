package io.feedkit.survival.copies;

import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxCopies;
import io.feedkit.survival.Trap;
import io.feedkit.survival.copies.CopyPoint.Role;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Walks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A process that copies inboxes or fills inboxes from copies, until it is killed. It prints {@code ready}, waits for a
 * line, works, and prints {@code at POINT} when it waits at the point where it is to be killed.
 */
final class CopyVictim {

    private static final int PORT = 3;
    private static final int POINT = 4;
    private static final int TIME = 5;
    private static final int READERS = 6;

    private CopyVictim() {}

    /**
     * Works.
     *
     * @param args the URL of the database, the URL of Redis, the name of the run, the port of Cassandra, the point, how
     *     often it is passed, how many readers there are
     */
    public static void main(String[] args) throws IOException {
        CopyPoint point = CopyPoint.valueOf(args[POINT]);
        TrappedCopies trapped = new TrappedCopies(point, Trap.holding(point, Integer.parseInt(args[TIME])));
        List<String> readers = Members.joined(Integer.parseInt(args[READERS])).readers();
        try (CopyStore server =
                CopyStore.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[PORT])))) {
            InboxCopies copies = server.copies(args[2], CopyStore.PATIENT);
            CopyNodes nodes = new CopyNodes(args[0], args[1], args[2], copies);
            try (Node node = nodes.node("victim", trapped::through)
                    .workers(point.role() == Role.COPIER ? 1 : 0)
                    .through(trapped::through)
                    .open()) {
                System.out.println("ready");
                if (System.in.read() >= 0) {
                    work(point.role(), node, readers);
                }
            }
        }
    }

    private static void work(Role role, Node node, List<String> readers) {
        Inbox inbox = CopyNodes.inbox(node);
        for (int i = 0; true; i++) {
            String reader = readers.get(i % readers.size());
            if (role == Role.COPIER) {
                System.out.println("refreshed: " + node.engine().refresh(reader));
            } else {
                inbox.drop(List.of(reader));
                System.out.println("read: "
                        + node.engine().read(reader, Walks.first()).items().size());
            }
        }
    }
}
