package io.feedkit.internal.publish;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.partitioningBy;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.event.PostPublished;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.presence.AuthorActivity;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Publishes posts outside of transactions. It checks the posts, asks the policy, and appends post and task in one
 * atomic step. Then it does the work that must not wait for a worker. Thread-safe.
 */
public final class Publisher {

    /** The most posts of an import that one outbox call records. Posts of one author are recorded together. */
    private static final int IMPORTED_AT_ONCE = 1000;

    private static final Comparator<Post> NEWEST_FIRST_BY_AUTHOR =
            Comparator.comparing(Post::author).thenComparing((one, other) -> Position.compare(other, one));

    private final Outbox outbox;
    private final PostTimes times;
    private final FanoutDecisions decisions;
    private final NewPosts newPosts;
    private final AuthorActivity activity;
    private final GuardedListener listener;

    public Publisher(
            Outbox outbox,
            PostTimes times,
            FanoutDecisions decisions,
            NewPosts newPosts,
            AuthorActivity activity,
            GuardedListener listener) {
        this.outbox = outbox;
        this.times = times;
        this.decisions = decisions;
        this.newPosts = newPosts;
        this.activity = activity;
        this.listener = listener;
    }

    List<Published> publish(List<Post> posts) {
        List<Published> published = finish(Appending.append(outbox, decisions.decide(times.admit(posts))));
        activity.published(published.stream()
                .filter(each -> each.status() == Published.Status.NEW)
                .map(each -> each.post().author())
                .toList());
        return published;
    }

    /**
     * Publishes earlier posts, with few tasks for each author. An author's newest posts are recorded first: they fill
     * the inboxes, and the older posts lie below them.
     */
    List<Published> importPosts(List<Post> posts) {
        List<Post> admitted = times.admit(posts);
        Map<String, FanoutMode> modes = decisions.decideOnAuthors(admitted);
        Map<PostKey, Post> first = new HashMap<>();
        admitted.forEach(post -> first.putIfAbsent(post.key(), post));
        List<Integer> order = IntStream.range(0, admitted.size())
                .boxed()
                .sorted(Comparator.comparing(
                        place -> requireNonNull(first.get(admitted.get(place).key())), NEWEST_FIRST_BY_AUTHOR))
                .toList();
        Published[] published = new Published[admitted.size()];
        for (int from = 0; from < order.size(); from += IMPORTED_AT_ONCE) {
            List<Integer> piece = order.subList(from, Math.min(order.size(), from + IMPORTED_AT_ONCE));
            Set<String> pulled =
                    decisions.pulled(piece.stream().map(admitted::get).toList(), modes);
            piece.stream()
                    .collect(partitioningBy(
                            place -> pulled.contains(admitted.get(place).author())))
                    .forEach((isPulled, places) -> {
                        List<Published> answers = finish(appendImported(
                                places.stream().map(admitted::get).toList(),
                                isPulled ? FanoutMode.PULL : FanoutMode.PUSH));
                        for (int i = 0; i < places.size(); i++) {
                            published[places.get(i)] = answers.get(i);
                        }
                    });
        }
        return List.of(published);
    }

    private List<Appending> appendImported(List<Post> posts, FanoutMode mode) {
        return posts.isEmpty()
                ? List.of()
                : outbox.appendImported(posts, mode).stream()
                        .map(appended -> new Appending(appended, mode))
                        .toList();
    }

    private List<Published> finish(List<Appending> answers) {
        newPosts.show(answers);
        List<Published> published = new ArrayList<>(answers.size());
        for (Appending answer : answers) {
            published.add(answer.published());
            if (answer.isNew()) {
                listener.notify(each ->
                        each.published(PostPublished.of(answer.appended().post(), answer.mode())));
            }
        }
        return published;
    }
}
