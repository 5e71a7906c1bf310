package io.feedkit.jdbc.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.PostKey;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.survival.FeedMonitor;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Truth;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("survival")
class SkewedClocksTest {

    private static final int READERS = 100;
    private static final int POSTS = Rounds.of(40);
    private static final Duration SKEW = Duration.ofMinutes(5);

    @Test
    @Timeout(300)
    @DisplayName("two engines with clocks ten minutes apart share the work; no task is done by both within a lease")
    void tenMinutesApart() throws Exception {
        String url = PostgresServer.shared().createDatabase();
        Nodes.createTables(url);
        LeaseWatch leases = new LeaseWatch(Node.LEASE);
        Truth truth = new Truth();
        Random random = new Random(7);
        try (Node behind = node(url, "behind", SKEW.negated(), leases);
                Node ahead = node(url, "ahead", SKEW, leases)) {
            Members members = Members.join(READERS, behind);
            List<Node> nodes = List.of(behind, ahead);
            try (FeedMonitor monitor = FeedMonitor.start(members, truth, nodes)) {
                for (int n = 0; n < POSTS; n++) {
                    String author = members.anAuthor(random);
                    truth.asks(new PostKey(author, "post-" + n));
                    truth.published(nodes.get(n % 2)
                            .engine()
                            .publish(author, "post-" + n)
                            .post());
                    Rounds.moment(random, 40);
                }
                monitor.finish();
            }
            assertThat(leases.violations()).isEmpty();
            FinalCheck.pass(ahead, members, truth);
            FinalCheck.pass(behind, members, truth);
            FinalCheck.inboxesLackNothing(behind, members);
            assertThat(behind.finishedTasks()).isPositive();
            assertThat(ahead.finishedTasks()).isPositive();
            assertThat(leases.violations()).isEmpty();
            System.out.printf(
                    "clocks apart=%s posts=%d leases=%d tasks finished by one=%d by the other=%d%n",
                    SKEW.multipliedBy(2), POSTS, leases.leases(), behind.finishedTasks(), ahead.finishedTasks());
        }
    }

    private static Node node(String url, String name, Duration skew, LeaseWatch leases) {
        return Nodes.at(url)
                .named(name)
                .clock(Clock.offset(Clock.systemUTC(), skew))
                .through(leases::watch)
                .open();
    }
}
