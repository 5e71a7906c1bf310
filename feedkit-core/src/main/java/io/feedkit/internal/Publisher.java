package io.feedkit.internal;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.Published;
import io.feedkit.event.PostDeleted;
import io.feedkit.event.PostPublished;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.TransactionalOutbox;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The write path: check, decide, append (one atomic step for post and task), and at once what must not wait for a worker. Whatever fails after the append is left
 * to the task, which is durable. Thread-safe.
 */
public final class Publisher {

    private static final Logger log = LoggerFactory.getLogger(Publisher.class);

    private final Parts parts;
    private final Answers answers;
    private final FanoutWorkers workers;
    private volatile FanoutPolicy policy;

    public Publisher(Parts parts, Backlogs backlogs, FanoutPolicy policy, FanoutWorkers workers) {
        this.parts = parts;
        this.answers = new Answers(parts, backlogs);
        this.policy = policy;
        this.workers = workers;
    }

    public void policy(FanoutPolicy newPolicy) {
        policy = newPolicy;
    }

    /** Publishes posts as the policy decides. */
    public List<Published> publish(List<Post> posts) {
        return finish(append(parts.outbox(), decide(posts, answers.plain())));
    }

    /** Publishes posts in a transaction of the host; only the workers, and a read of the author's, can go on from there, since it is not committed yet. */
    public List<Published> publish(List<Post> posts, PublishTransaction transaction) {
        Outbox joined = joined(transaction);
        List<Publication> publications = decide(posts, answers.within(transaction, joined));
        List<Published> published = new ArrayList<>(posts.size());
        for (Answer answer : append(joined, publications)) {
            if (answer.isNew()) {
                Post post = answer.appended().post();
                parts.ownPosts().remember(post);
                parts.uncommitted().published(new PostPublished(post, answer.mode()), parts.now());
            }
            published.add(published(answer.appended()));
        }
        workers.wakeSoon();
        return published;
    }

    private Outbox joined(PublishTransaction transaction) {
        if (parts.outbox() instanceof TransactionalOutbox outbox) {
            return outbox.joining(transaction);
        }
        throw new IllegalArgumentException("transaction cannot be joined: the store's outbox has no transactions");
    }

    /** Publishes posts without pushing them. */
    public List<Published> importPosts(List<Post> posts) {
        requireNotFuture(posts);
        return finish(append(
                parts.outbox(),
                posts.stream()
                        .map(post -> new Publication(post, FanoutMode.PULL))
                        .toList()));
    }

    /** Deletes posts. */
    public List<Boolean> delete(List<PostKey> keys) {
        List<Boolean> existed = parts.outbox().delete(keys);
        for (int i = 0; i < keys.size(); i++) {
            PostKey key = keys.get(i);
            if (existed.get(i)) {
                parts.register().deleted(key);
                parts.heads().drop(key.author());
                parts.events().tell(listener -> listener.deleted(new PostDeleted(key)));
            }
        }
        workers.wake();
        return existed;
    }

    /** Deletes posts in a transaction of the host. What this engine remembers of them is dropped when it learns of the commit, as that of other engines is. */
    public List<Boolean> delete(List<PostKey> keys, PublishTransaction transaction) {
        List<Boolean> existed = joined(transaction).delete(keys);
        for (int i = 0; i < keys.size(); i++) {
            if (existed.get(i)) {
                parts.uncommitted().deleted(keys.get(i), parts.now());
            }
        }
        workers.wakeSoon();
        return existed;
    }

    private record Answer(Appended appended, FanoutMode mode) {
        boolean isNew() {
            return appended.status() == Appended.Status.NEW;
        }
    }

    private List<Publication> decide(List<Post> posts, AuthorStatuses.Source source) {
        requireNotFuture(posts);
        FanoutPolicy decider = policy;
        AuthorStatuses statuses = new AuthorStatuses(source, posts);
        List<Publication> publications = new ArrayList<>(posts.size());
        for (Post post : posts) {
            FanoutMode mode = Callbacks.call("policy", () -> decider.decide(statuses.of(post.author())));
            publications.add(new Publication(post, isAmongUnpushed(post, mode) ? FanoutMode.PULL : mode));
        }
        return publications;
    }

    /**
     * Whether a push would be of a back-dated post that lies among its author's unpushed ones. Pages show it at once there, so it is as they are: otherwise it would be gone when the
     * author leaves the register before its push is done.
     */
    private boolean isAmongUnpushed(Post post, FanoutMode mode) {
        return mode == FanoutMode.PUSH && parts.register().known().isUnpushed(post);
    }

    private void requireNotFuture(List<Post> posts) {
        Instant latest =
                parts.settings().clock().instant().plus(parts.settings().maxFutureSkew());
        for (Post post : posts) {
            if (post.publishedAt().isAfter(latest)) {
                throw new IllegalArgumentException("publishedAt of " + post.key() + " must not be later than " + latest
                        + " (now and " + parts.settings().maxFutureSkew() + "), but is " + post.publishedAt());
            }
        }
    }

    private List<Answer> append(Outbox outbox, List<Publication> publications) {
        List<Appended> appended = outbox.append(publications);
        List<Answer> answers = new ArrayList<>(publications.size());
        for (int i = 0; i < publications.size(); i++) {
            answers.add(new Answer(appended.get(i), publications.get(i).mode()));
        }
        return answers;
    }

    private List<Published> finish(List<Answer> answers) {
        List<Post> unpushed = new ArrayList<>();
        List<Delivery> own = new ArrayList<>();
        for (Answer answer : answers) {
            if (answer.isNew()) {
                Post post = answer.appended().post();
                parts.heads().drop(post.author());
                if (answer.mode() != FanoutMode.PUSH) {
                    unpushed.add(post);
                }
                own.add(new Delivery(post, List.of(post.author()), 0));
            }
        }
        if (!own.isEmpty()) {
            doAtOnce(unpushed, parts.settings().ownPosts() ? own : List.of());
            workers.wake();
        }
        List<Published> published = new ArrayList<>(answers.size());
        for (Answer answer : answers) {
            published.add(published(answer.appended()));
            if (answer.isNew()) {
                parts.events()
                        .tell(listener -> listener.published(
                                new PostPublished(answer.appended().post(), answer.mode())));
            }
        }
        return published;
    }

    private void doAtOnce(List<Post> unpushed, List<Delivery> own) {
        try {
            if (!unpushed.isEmpty()) {
                parts.register().put(unpushed);
            }
            if (!own.isEmpty()) {
                parts.inbox().deliver(own);
                for (Delivery delivery : own) {
                    Tombstones.retractDeleted(parts, delivery.readers().get(0), List.of(delivery.post()));
                }
            }
        } catch (Exception e) {
            Interrupts.keep(e);
            log.debug("{}: left to the fan-out task", parts.settings().name(), e);
        }
    }

    private static Published published(Appended appended) {
        return new Published(Published.Status.valueOf(appended.status().name()), appended.post());
    }
}
