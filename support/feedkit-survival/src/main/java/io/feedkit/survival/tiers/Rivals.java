package io.feedkit.survival.tiers;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.Published.Status;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;

/**
 * Clients that race with a mover or {@code verify}: they publish posts of today and old ones, publish them again with
 * the same and with other times, delete, follow and unfollow. Each post and each reader belongs to one thread.
 */
final class Rivals implements AutoCloseable {

    /** Old posts of this kind are left to the process that is killed. */
    static final String DOOMED = "doomed";

    private static final int PUBLISHERS = 2;
    private static final int PAUSE_MILLIS = 25;
    private static final int FOLLOW_PAUSE_MILLIS = 120;
    private static final int PERCENT = 100;
    private static final int RECENT = 28;
    private static final int OLD = 56;
    private static final int FOR_VICTIM = 64;
    private static final int AGAIN = 78;
    private static final int ELSEWHERE = 88;
    private static final Duration OLDEST = TierNodes.AGE.multipliedBy(3);
    private static final Duration OLD_ENOUGH = TierNodes.AGE.plusMinutes(10);

    private final Threads threads = new Threads();
    private final Members members;
    private final TierTruth truth;
    private final List<Node> nodes;

    private Rivals(Members members, TierTruth truth, List<Node> nodes) {
        this.members = members;
        this.truth = truth;
        this.nodes = nodes;
    }

    /**
     * Starts the clients.
     *
     * @param readers the readers who follow and unfollow
     * @param random decides what they do
     */
    static Rivals start(Members members, List<String> readers, TierTruth truth, List<Node> nodes, Random random) {
        Rivals rivals = new Rivals(members, truth, nodes);
        for (int i = 0; i < PUBLISHERS; i++) {
            Publisher publisher = rivals.new Publisher("p" + i + "-", new Random(random.nextLong()));
            rivals.repeat(publisher::step, new Random(random.nextLong()), PAUSE_MILLIS);
        }
        Random choice = new Random(random.nextLong());
        rivals.repeat(() -> rivals.changeEdge(readers, choice), choice, FOLLOW_PAUSE_MILLIS);
        return rivals;
    }

    private void repeat(Runnable step, Random random, int pauseMillis) {
        threads.start(() -> {
            while (threads.goOn()) {
                step.run();
                Rounds.moment(random, pauseMillis);
            }
        });
    }

    private Node any(Random random) {
        return nodes.get(random.nextInt(nodes.size()));
    }

    private void changeEdge(List<String> readers, Random random) {
        String reader = readers.get(random.nextInt(readers.size()));
        String author = members.anAuthor(random);
        if (truth.follows(reader, author)) {
            any(random).engine().unfollow(reader, author);
            truth.unfollowed(reader, author);
        } else {
            any(random).engine().follow(reader, author);
            truth.followed(reader, author);
        }
    }

    /** Publishes and deletes posts of its own. */
    final class Publisher {

        private final String prefix;
        private final Random random;
        private final List<PostKey> own = new ArrayList<>();
        private int count;

        Publisher(String prefix, Random random) {
            this.prefix = prefix;
            this.random = random;
        }

        void step() {
            int choice = random.nextInt(PERCENT);
            if (own.isEmpty() || choice < RECENT) {
                publishNew(prefix, now());
            } else if (choice < OLD) {
                publishNew(prefix, old());
            } else if (choice < FOR_VICTIM) {
                publish(Post.of(members.anAuthor(random), DOOMED + prefix + count++, old()), Status.NEW);
            } else if (choice < AGAIN) {
                Post post = truth.post(own.get(random.nextInt(own.size()))).orElseThrow();
                publish(post, Status.SAME);
            } else if (choice < ELSEWHERE) {
                publishElsewhere(own.get(random.nextInt(own.size())));
            } else {
                delete(own.remove(random.nextInt(own.size())));
            }
        }

        private long now() {
            return System.currentTimeMillis();
        }

        private long old() {
            return now() - random.nextLong(OLD_ENOUGH.toMillis(), OLDEST.toMillis());
        }

        private void publishNew(String name, long millis) {
            Post post = Post.of(members.anAuthor(random), name + count++, millis);
            publish(post, Status.NEW);
            own.add(post.key());
        }

        private void publish(Post post, Status expected) {
            truth.asks(post);
            Published answer = any(random).engine().publish(post);
            assertThat(answer).isEqualTo(new Published(expected, post));
            truth.published(answer);
        }

        /** With another old time, a post is looked up and stays; with a time of today, an archived one moves there. */
        private void publishElsewhere(PostKey key) {
            Post stored = truth.post(key).orElseThrow();
            boolean toOld = random.nextBoolean();
            Post other = Post.of(key.author(), key.id(), toOld ? old() : now());
            Published answer = any(random).engine().publish(other);
            boolean mayMove = !toOld && stored.publishedAt().isBefore(Instant.now().minus(TierNodes.AGE));
            assertThat(answer).isIn(new Published(Status.SAME, stored), new Published(mayMove ? Status.NEW : Status.SAME, mayMove ? other : stored));
            truth.published(answer);
        }

        private void delete(PostKey key) {
            any(random).engine().delete(key.author(), key.id());
            truth.deleted(key);
            assertThat(any(random).engine().publish(Post.of(key.author(), key.id(), now())).status())
                    .isEqualTo(Status.DELETED);
        }
    }

    /** Waits until all threads have finished their present work. */
    void finish() throws InterruptedException, ExecutionException {
        threads.finish();
    }

    @Override
    public void close() {
        threads.close();
    }
}
