package io.feedkit.jdbc.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.testkit.oracle.OracleFeed;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Walks;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A host in a process of its own, which writes articles, publishes and fans out until it is killed. It prints
 * {@code ready} and waits for a line. Then it prints {@code committed author id millis} after each publish, and
 * {@code deleted author id} after each delete. It also reads, and exits if a feed is wrong. Its third argument is
 * {@code pushes} or {@code pulls}.
 */
final class HostProcess {

    private static final List<String> AUTHORS = List.of("star", "ann", "bob", "cid", "dot");
    private static final int READERS = 100;
    private static final int PAUSE_MILLIS = 120;

    private final HostArticles articles;
    private final FeedEngine feed;
    private final String name;
    private final Random random;
    private final List<Post> own = new ArrayList<>();

    private HostProcess(HostArticles articles, FeedEngine feed, String name) {
        this.articles = articles;
        this.feed = feed;
        this.name = name;
        this.random = new Random(name.hashCode());
    }

    public static void main(String[] arguments) throws SQLException, IOException {
        String url = arguments[0];
        String name = arguments[1];
        try (Node idle = Nodes.at(url).named(name).workers(0).open()) {
            Walks.plain(idle.engine(), "nobody");
            System.out.println("ready");
            System.in.read();
        }
        FanoutPolicy policy = arguments[2].equals("pulls") ? FanoutPolicy.pull() : FanoutPolicy.push();
        try (Node node = Nodes.at(url).named(name).policy(policy).open();
                HostArticles articles = new HostArticles(url)) {
            articles.finishDeletes(node.engine());
            HostProcess host = new HostProcess(articles, node.engine(), name);
            for (int n = 0; true; n++) {
                host.act(n);
                Rounds.moment(host.random, PAUSE_MILLIS);
            }
        }
    }

    private void act(int n) throws SQLException {
        int what = random.nextInt(10);
        if (what == 0 && !own.isEmpty()) {
            Post post = own.remove(random.nextInt(own.size()));
            articles.delete(post.key(), feed);
            System.out.println("deleted " + post.author() + " " + post.id());
            return;
        }
        Post post = new Post(AUTHORS.get(random.nextInt(AUTHORS.size())), name + "-" + n, Instant.now());
        articles.write(post, feed);
        if (what == 1) {
            articles.rollback();
            return;
        }
        if (what == 2) {
            assertThat(Walks.plain(feed, Members.reader(random.nextInt(READERS))))
                    .doesNotHaveDuplicates()
                    .isSortedAccordingTo(OracleFeed.NEWEST_FIRST);
        }
        articles.commit();
        own.add(post);
        System.out.println("committed " + post.author() + " " + post.id() + " "
                + post.publishedAt().toEpochMilli());
    }
}
