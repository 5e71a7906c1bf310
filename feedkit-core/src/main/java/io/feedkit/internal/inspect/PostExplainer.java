package io.feedkit.internal.inspect;

import io.feedkit.Post;
import io.feedkit.PostFilter;
import io.feedkit.PostKey;
import io.feedkit.fanout.TaskKind;
import io.feedkit.inspect.DeliveryTask;
import io.feedkit.inspect.Explanation;
import io.feedkit.inspect.Explanation.Reason;
import io.feedkit.inspect.PulledAuthor;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.cache.Registered;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedCallbacks;
import io.feedkit.internal.inspect.PostFacts.Edge;
import io.feedkit.internal.inspect.PostFacts.InOutbox;
import io.feedkit.spi.FanoutLog.FoundTask;
import io.feedkit.spi.FanoutLog.Outage;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.FanoutLog.TaskState;
import io.feedkit.spi.Position;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Explains why a post is, or is not, in a reader's feed. Changes nothing in a store. Thread-safe. */
public final class PostExplainer {

    private final EngineSettings settings;
    private final FactReader factReader;

    public PostExplainer(EngineSettings settings, FactReader factReader) {
        this.settings = settings;
        this.factReader = factReader;
    }

    /** Explains. If parts of the store cannot be reached, the explanation names them. */
    public Explanation explain(String reader, PostKey key) {
        StoreParts parts = new StoreParts();
        PostFacts facts = factReader.read(parts, reader, key);
        Reason reason = new Verdicts(facts, post -> isVisible(reader, post)).reason();
        Optional<Post> shown = facts.inbox().entry(key).or(() -> facts.outbox().flatMap(InOutbox::post));
        List<DeliveryTask> tasks = facts.outbox().map(InOutbox::tasks).orElse(List.of()).stream()
                .map(PostExplainer::task)
                .toList();
        Optional<PulledAuthor> pulled = facts.outbox()
                .flatMap(outbox -> outbox.registered(key.author()))
                .flatMap(each -> pulled(key.author(), each));
        Optional<FolloweeSet> followees = facts.edge().map(Edge::followees);
        return new Explanation(
                reader,
                key,
                reason,
                new Sentence(facts, pulled, settings.followees().most()).of(reason),
                shown.map(Post::publishedAt),
                pulled,
                tasks,
                facts.inbox().state(followees),
                parts.unreachable());
    }

    private boolean isVisible(String reader, Post post) {
        PostFilter filter = settings.reading().filter();
        List<Post> posts = List.of(post);
        return filter == EngineSettings.SHOW_ALL
                || GuardedCallbacks.call(
                        "filter", () -> filter.visible(reader, posts).contains(post));
    }

    private static Optional<PulledAuthor> pulled(String author, Registered registered) {
        return registered
                .unpushed()
                .map(unpushed ->
                        pulled(author, unpushed.range().from(), unpushed.range().below()));
    }

    static PulledAuthor pulled(String author, Position oldest, Position newest) {
        return new PulledAuthor(author, Instant.ofEpochMilli(oldest.millis()), Instant.ofEpochMilli(newest.millis()));
    }

    static DeliveryTask task(FoundTask found) {
        Task task = found.task();
        return new DeliveryTask(
                task.id(),
                TaskKind.valueOf(task.kind().name()),
                state(found),
                Instant.ofEpochMilli(found.until()),
                Instant.ofEpochMilli(task.created()),
                task.attempts(),
                task.outage().failures(),
                Optional.of(PostTasks.handled(task)).filter(handled -> !handled.isEmpty()),
                found.state() == TaskState.DEAD ? Optional.of(found.reason()) : Optional.empty());
    }

    private static DeliveryTask.State state(FoundTask found) {
        Task task = found.task();
        boolean hasFailed = task.attempts() > 0 || !task.outage().equals(Outage.NONE);
        return switch (found.state()) {
            case WAITING -> hasFailed ? DeliveryTask.State.RETRYING : DeliveryTask.State.WAITING;
            case LEASED -> DeliveryTask.State.CLAIMED;
            case LENT -> DeliveryTask.State.QUEUED;
            case DEAD -> DeliveryTask.State.DEAD;
        };
    }
}
