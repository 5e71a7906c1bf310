package io.feedkit.survival.tiers;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedKitException;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.Published.Status;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Threads;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Clients that race with a mover or {@code verify}: they publish posts of today and old ones, publish them again with
 * the same and with other times, delete, follow and unfollow. Each post and each reader belongs to one thread.
 */
final class Rivals implements AutoCloseable {

    /** Old posts of this kind are left to the process that is killed. */
    static final String DOOMED = "doomed";

    private static final int PUBLISHERS = 2;
    private static final int PAUSE_MILLIS = 50;
    private static final int FOLLOW_PAUSE_MILLIS = 120;
    private static final int PERCENT = 100;
    private static final int RECENT = 28;
    private static final int OLD = 56;
    private static final int FOR_VICTIM = 64;
    private static final int AGAIN = 78;
    private static final int ELSEWHERE = 88;
    private static final Duration OLDEST = TierNodes.AGE.multipliedBy(3);
    private static final Duration OLD_ENOUGH = TierNodes.AGE.plusMinutes(10);
    private static final Duration HARDLY_OLDER = TierNodes.AGE.plusMinutes(60);
    private static final int RETRY_MILLIS = 100;

    private final Threads threads = new Threads();
    private final Members members;
    private final TierTruth truth;
    private final List<Node> nodes;
    private final Clock clock;

    private final AtomicInteger repeated = new AtomicInteger();

    private Rivals(Members members, TierTruth truth, List<Node> nodes, TierNodes tiers) {
        this.members = members;
        this.truth = truth;
        this.nodes = nodes;
        this.clock = tiers.clock().orElseGet(Clock::systemUTC);
    }

    /**
     * Starts the clients.
     *
     * @param readers the readers who follow and unfollow
     * @param tiers the settings of the nodes
     * @param random decides what they do, and how posts are named
     */
    static Rivals start(
            Members members, List<String> readers, TierTruth truth, List<Node> nodes, TierNodes tiers, Random random) {
        Rivals rivals = new Rivals(members, truth, nodes, tiers);
        String name = "p" + random.nextInt(Integer.MAX_VALUE) + "-";
        for (int i = 0; i < PUBLISHERS; i++) {
            Publisher publisher = rivals.new Publisher(name + i + "-", new Random(random.nextLong()));
            publisher.own.addAll(part(truth.all(), i));
            rivals.repeat(publisher::step, new Random(random.nextLong()), PAUSE_MILLIS);
        }
        Random choice = new Random(random.nextLong());
        rivals.repeat(() -> rivals.changeEdge(readers, choice), choice, FOLLOW_PAUSE_MILLIS);
        return rivals;
    }

    /** The posts of one thread among those that other rivals have left. */
    private static List<PostKey> part(List<Post> posts, int thread) {
        return IntStream.range(0, posts.size())
                .filter(n -> n % PUBLISHERS == thread)
                .mapToObj(n -> posts.get(n).key())
                .filter(key -> !key.id().startsWith(DOOMED) && !key.id().startsWith(TierTruth.FIRST))
                .toList();
    }

    private void repeat(Runnable step, Random random, int pauseMillis) {
        threads.start(() -> {
            while (threads.goOn()) {
                step.run();
                Rounds.moment(random, pauseMillis);
            }
        });
    }

    /** Repeats a call until an engine has done it. */
    private <T> T done(Random random, Function<FeedEngine, T> call) {
        while (true) {
            try {
                return call.apply(nodes.get(random.nextInt(nodes.size())).engine());
            } catch (FeedKitException e) {
                repeated.incrementAndGet();
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                Rounds.moment(random, RETRY_MILLIS);
            }
        }
    }

    /** How many calls failed, and were repeated. */
    int repeated() {
        return repeated.get();
    }

    private void changeEdge(List<String> readers, Random random) {
        String reader = readers.get(random.nextInt(readers.size()));
        String author = members.anAuthor(random);
        if (truth.follows(reader, author)) {
            boolean unused = done(random, feed -> feed.unfollow(reader, author));
            truth.unfollowed(reader, author);
        } else {
            boolean unused = done(random, feed -> feed.follow(reader, author));
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
            return clock.millis();
        }

        /** Every second old post is hardly older than it must be. */
        private long old() {
            Duration most = random.nextBoolean() ? HARDLY_OLDER : OLDEST;
            return now() - random.nextLong(OLD_ENOUGH.toMillis(), most.toMillis());
        }

        private void publishNew(String name, long millis) {
            Post post = Post.of(members.anAuthor(random), name + count++, millis);
            publish(post, Status.NEW);
            own.add(post.key());
        }

        private void publish(Post post, Status expected) {
            truth.asks(post);
            Published answer = done(random, feed -> feed.publish(post));
            assertThat(answer.post()).isEqualTo(post);
            // A call whose outcome was unknown may have been done.
            assertThat(answer.status()).isIn(expected, Status.SAME);
            truth.published(answer);
        }

        /** With another old time, a post is looked up and stays; with a time of today, an archived one moves there. */
        private void publishElsewhere(PostKey key) {
            Post stored = truth.post(key).orElseThrow();
            boolean toOld = random.nextBoolean();
            Post other = Post.of(key.author(), key.id(), toOld ? old() : now());
            Published answer = done(random, feed -> feed.publish(other));
            if (!answer.post().equals(stored)) {
                assertThat(answer.post()).isEqualTo(other);
                assertThat(toOld).as("%s is archived, and looked up", stored).isFalse();
                assertThat(stored.publishedAt()).isBefore(clock.instant().minus(TierNodes.AGE));
            }
            assertThat(answer.status()).isNotEqualTo(Status.DELETED);
            truth.published(answer);
        }

        private void delete(PostKey key) {
            boolean unused = done(random, feed -> feed.delete(key.author(), key.id()));
            truth.deleted(key);
            Published answer = done(random, feed -> feed.publish(Post.of(key.author(), key.id(), now())));
            assertThat(answer.status()).isEqualTo(Status.DELETED);
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
