package io.feedkit.survival.copies;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedKitException;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published.Status;
import io.feedkit.spi.Inbox;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Threads;
import io.feedkit.testservers.survival.Walks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/**
 * Clients that race with a copier or a filler: they publish posts of now and late ones, delete, follow and unfollow.
 * Readers lose their inboxes and come back, and another process copies inboxes all the time. Each post and each reader
 * belongs to one thread.
 */
final class CopyRivals implements AutoCloseable {

    private static final int PUBLISHERS = 2;
    private static final int PAUSE_MILLIS = 40;
    private static final int FOLLOW_PAUSE_MILLIS = 100;
    private static final int RETURN_PAUSE_MILLIS = 30;
    private static final int COPY_PAUSE_MILLIS = 200;
    private static final int RETRY_MILLIS = 100;
    private static final int PERCENT = 100;
    private static final int NEW = 45;
    private static final int LATE = 70;
    private static final Duration LATEST = Duration.ofMinutes(2);

    private final Threads threads = new Threads();
    private final Members members;
    private final CopyTruth truth;
    private final CopyNodes copies;
    private final List<Node> nodes;

    private CopyRivals(Members members, CopyTruth truth, CopyNodes copies, List<Node> nodes) {
        this.members = members;
        this.truth = truth;
        this.copies = copies;
        this.nodes = nodes;
    }

    /** Starts the clients. */
    static CopyRivals start(Members members, CopyTruth truth, CopyNodes copies, List<Node> nodes, Random random) {
        CopyRivals rivals = new CopyRivals(members, truth, copies, nodes);
        for (int i = 0; i < PUBLISHERS; i++) {
            Publisher publisher = rivals.new Publisher("p" + i + "-", new Random(random.nextLong()));
            rivals.repeat(publisher::step, new Random(random.nextLong()), PAUSE_MILLIS);
        }
        Random edges = new Random(random.nextLong());
        rivals.repeat(() -> rivals.changeEdge(edges), edges, FOLLOW_PAUSE_MILLIS);
        Random returns = new Random(random.nextLong());
        rivals.repeat(() -> rivals.leaveAndReturn(returns), returns, RETURN_PAUSE_MILLIS);
        rivals.repeat(rivals::copyAll, new Random(random.nextLong()), COPY_PAUSE_MILLIS);
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

    /** Repeats a call until an engine has done it. */
    private <T> T done(Random random, Function<FeedEngine, T> call) {
        while (true) {
            try {
                return call.apply(nodes.get(random.nextInt(nodes.size())).engine());
            } catch (FeedKitException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                Rounds.moment(random, RETRY_MILLIS);
            }
        }
    }

    private String aReader(Random random) {
        return members.readers().get(random.nextInt(members.readers().size()));
    }

    private void changeEdge(Random random) {
        String reader = aReader(random);
        String author = members.anAuthor(random);
        if (truth.follows(reader, author)) {
            boolean unused = done(random, feed -> feed.unfollow(reader, author));
            truth.unfollowed(reader, author);
        } else {
            boolean unused = done(random, feed -> feed.follow(reader, author));
            truth.followed(reader, author);
        }
    }

    private void leaveAndReturn(Random random) {
        String reader = aReader(random);
        Inbox inbox = CopyNodes.inbox(nodes.get(0));
        inbox.drop(List.of(reader));
        assertThat(done(random, feed -> feed.read(reader, Walks.first())).items())
                .as("first page of %s", reader)
                .doesNotHaveDuplicates();
    }

    /** Copies all inboxes. An engine copies each of them once, so this is a new one each time. */
    void copyAll() {
        try (Node copier = copies.beside(nodes.get(0), "copier").workers(0).open()) {
            members.readers().forEach(reader -> copier.engine().refresh(reader));
        }
    }

    /** Publishes and deletes posts of its own. */
    private final class Publisher {

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
            if (own.isEmpty() || choice < NEW) {
                publish(System.currentTimeMillis());
            } else if (choice < LATE) {
                publish(System.currentTimeMillis() - random.nextLong(LATEST.toMillis()));
            } else {
                delete(own.remove(random.nextInt(own.size())));
            }
        }

        private void publish(long millis) {
            Post post = Post.of(members.anAuthor(random), prefix + count++, millis);
            assertThat(done(random, feed -> feed.publish(post)).post()).isEqualTo(post);
            truth.published(post);
            own.add(post.key());
        }

        private void delete(PostKey key) {
            boolean unused = done(random, feed -> feed.delete(key.author(), key.id()));
            truth.deleted(key);
            Post again = Post.of(key.author(), key.id(), System.currentTimeMillis());
            assertThat(done(random, feed -> feed.publish(again)).status()).isEqualTo(Status.DELETED);
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
