package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.testkit.oracle.OracleFeed;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Walks;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A host in a process of its own. It publishes, deletes, reads and, with workers, fans out, until it is killed. It
 * prints {@code ready} and waits for a line. From then on it prints {@code published author id millis},
 * {@code deleting author id} and {@code deleted author id}. It ends if a feed is wrong.
 */
final class HostProcess {

    private static final int PAUSE_MILLIS = 60;

    private final Members members;
    private final FeedEngine feed;
    private final String name;
    private final Random random;
    private final List<Post> own = new ArrayList<>();

    private HostProcess(Members members, FeedEngine feed, String name) {
        this.members = members;
        this.feed = feed;
        this.name = name;
        this.random = new Random(name.hashCode());
    }

    /** The arguments are the port, a name, the number of workers, and the number of readers. */
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        String name = arguments[1];
        Members members = Members.joined(Integer.parseInt(arguments[3]));
        try (Node idle = Nodes.at(port).named(name).workers(0).open()) {
            Walks.plain(idle.engine(), "nobody");
            System.out.println("ready");
            System.in.read();
        }
        try (Node node = Nodes.at(port)
                .named(name)
                .workers(Integer.parseInt(arguments[2]))
                .open()) {
            HostProcess host = new HostProcess(members, node.engine(), name);
            for (int n = 0; true; n++) {
                host.act(n);
                Rounds.moment(host.random, PAUSE_MILLIS);
            }
        }
    }

    private void act(int n) {
        int what = random.nextInt(10);
        if (what == 0 && !own.isEmpty()) {
            Post post = own.remove(random.nextInt(own.size()));
            System.out.println("deleting " + post.author() + " " + post.id());
            feed.delete(post.author(), post.id());
            System.out.println("deleted " + post.author() + " " + post.id());
        } else if (what == 1) {
            String reader =
                    members.readers().get(random.nextInt(members.readers().size()));
            assertThat(Walks.plain(feed, reader)).doesNotHaveDuplicates().isSortedAccordingTo(OracleFeed.NEWEST_FIRST);
        } else {
            Post post = new Post(members.anAuthor(random), name + "-" + n, Instant.now());
            feed.publish(post);
            own.add(post);
            System.out.println("published " + post.author() + " " + post.id() + " "
                    + post.publishedAt().toEpochMilli());
        }
    }
}
