package io.feedkit.examples.microblog.panel;

import io.feedkit.Post;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDelivered;
import io.feedkit.event.PostPublished;
import io.feedkit.event.TaskFinished;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.TaskKind;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.springframework.stereotype.Component;

/** Follows the last status that this engine fans out. */
@Component
class LastPost implements FeedListener {

    private static final Set<TaskKind> FANOUT = EnumSet.of(TaskKind.PUSH, TaskKind.PUSH_ACTIVE, TaskKind.PULL);

    /**
     * How far the post has come.
     *
     * @param finishedAfterMillis how old the task was when it was done; empty until then
     */
    record Way(
            Post post, FanoutMode mode, int delivered, int notLive, int belowFloor, OptionalLong finishedAfterMillis) {

        private Way published(FanoutMode decided) {
            return new Way(post, decided, delivered, notLive, belowFloor, finishedAfterMillis);
        }

        private Way delivered(PostDelivered event) {
            return new Way(
                    post,
                    mode,
                    delivered + followers(event),
                    notLive + event.notLive(),
                    belowFloor + event.belowFloor(),
                    finishedAfterMillis);
        }

        /** Without the author, whose own inbox gets the post, too. */
        private static int followers(PostDelivered event) {
            return (int) event.readers().stream()
                    .filter(reader -> !reader.equals(event.post().author()))
                    .count();
        }

        private Way finished(TaskFinished event) {
            return new Way(
                    post,
                    mode,
                    delivered,
                    notLive,
                    belowFloor,
                    OptionalLong.of(event.age().toMillis()));
        }
    }

    private final AtomicReference<Optional<Way>> last = new AtomicReference<>(Optional.empty());

    Optional<Way> get() {
        return Objects.requireNonNull(last.get());
    }

    @Override
    public void published(PostPublished event) {
        update(event.post(), way -> way.published(event.mode()));
    }

    /** The delivery may be reported before the publish, which workers notice only after the commit. */
    @Override
    public void delivered(PostDelivered event) {
        update(event.post(), way -> way.delivered(event));
    }

    @Override
    public void taskFinished(TaskFinished event) {
        if (FANOUT.contains(event.kind())) {
            last.updateAndGet(known ->
                    known.map(way -> event.post().equals(Optional.of(way.post().key())) ? way.finished(event) : way));
        }
    }

    /** Changes the way of a post, unless it is older than the known one, or a notification. */
    private void update(Post post, UnaryOperator<Way> step) {
        if (post.author().chars().allMatch(Character::isDigit)) {
            last.updateAndGet(known -> next(known, post, step));
        }
    }

    private static Optional<Way> next(Optional<Way> known, Post post, UnaryOperator<Way> step) {
        return known.isEmpty() || isNewer(post, known.get().post())
                ? Optional.of(step.apply(new Way(post, FanoutMode.PUSH, 0, 0, 0, OptionalLong.empty())))
                : known.map(way -> way.post().equals(post) ? step.apply(way) : way);
    }

    private static boolean isNewer(Post post, Post known) {
        return post.publishedAt().isAfter(known.publishedAt());
    }
}
