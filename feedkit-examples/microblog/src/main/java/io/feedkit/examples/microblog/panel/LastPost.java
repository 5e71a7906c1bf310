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

        private Way delivered(PostDelivered event) {
            return new Way(
                    post,
                    mode,
                    delivered + event.readers().size(),
                    notLive + event.notLive(),
                    belowFloor + event.belowFloor(),
                    finishedAfterMillis);
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
        Post post = event.post();
        boolean isStatus = post.author().chars().allMatch(Character::isDigit); // not a notification
        if (isStatus) {
            Way way = new Way(post, event.mode(), 0, 0, 0, OptionalLong.empty());
            last.updateAndGet(
                    known -> known.filter(each -> !isNewer(post, each.post())).or(() -> Optional.of(way)));
        }
    }

    private static boolean isNewer(Post post, Post known) {
        return post.publishedAt().isAfter(known.publishedAt());
    }

    @Override
    public void delivered(PostDelivered event) {
        update(event.post().id(), way -> way.delivered(event));
    }

    @Override
    public void taskFinished(TaskFinished event) {
        if (FANOUT.contains(event.kind())) {
            event.post().ifPresent(key -> update(key.id(), way -> way.finished(event)));
        }
    }

    private void update(String id, UnaryOperator<Way> step) {
        last.updateAndGet(known -> known.map(way -> way.post().id().equals(id) ? step.apply(way) : way));
    }
}
