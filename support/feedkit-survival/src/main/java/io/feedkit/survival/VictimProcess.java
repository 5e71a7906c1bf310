package io.feedkit.survival;

import io.feedkit.FeedKitException;
import io.feedkit.Post;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.survival.KillPoint.Role;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

/**
 * A process with one part in a fan-out, until it is killed. It prints {@code ready}, waits for a line, works, and
 * prints {@code at POINT} when it waits at the point where it is to be killed. A publisher prints {@code asks} and
 * {@code published}, each with a post, and {@code deletes} and {@code deleted}.
 */
final class VictimProcess {

    private VictimProcess() {}

    /**
     * Works.
     *
     * @param args the database's URL, the broker's address, the run, the point, how often it is passed, a seed
     */
    public static void main(String[] args) throws IOException {
        String url = args[0];
        KillPoint point = KillPoint.valueOf(args[3]);
        Trap<KillPoint> trap = Trap.holding(point, Integer.parseInt(args[4]));
        System.out.println("ready");
        if (System.in.read() < 0) {
            return;
        }
        if (point.role() == Role.PUBLISHER) {
            publish(url, trap, new Random(Long.parseLong(args[5])));
            return;
        }
        FanoutQueue queue = new TrappedQueue(Broker.queue(args[1], args[2]), trap);
        Node.Setup setup = point.role() == Role.RELAY
                ? Nodes.on(url).relay(queue)
                : Nodes.on(url).worker(queue);
        try (Node node = setup.through(store -> new TrappedStore(store, trap)).open()) {
            System.out.println("open");
            while (System.in.read() >= 0) {
                System.out.println("still there: " + node.engine().fanout().backlog());
            }
        }
    }

    private static void publish(String url, Trap<KillPoint> trap, Random random) {
        Members members = Members.joined(Nodes.READERS);
        Deque<Post> own = new ArrayDeque<>();
        try (Node node = Nodes.on(url)
                .publisher()
                .through(store -> new TrappedStore(store, trap))
                .open()) {
            System.out.println("open");
            for (int n = 0; true; n++) {
                try {
                    Post post = new Post(members.anAuthor(random), "victim-" + n, Instant.now());
                    String text = post.author() + " " + post.id() + " "
                            + post.publishedAt().toEpochMilli();
                    System.out.println("asks " + text);
                    node.engine().publish(post);
                    System.out.println("published " + text);
                    own.add(post);
                    if (random.nextInt(4) == 0) {
                        Post gone = own.remove();
                        String key = gone.author() + " " + gone.id();
                        System.out.println("deletes " + key);
                        node.engine().delete(gone.author(), gone.id());
                        System.out.println("deleted " + key);
                    }
                } catch (FeedKitException e) {
                    System.out.println("failed " + e);
                }
            }
        }
    }
}
