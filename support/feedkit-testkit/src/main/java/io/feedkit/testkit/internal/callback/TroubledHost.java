package io.feedkit.testkit.internal.callback;

import io.feedkit.FollowCounts;
import io.feedkit.Post;
import io.feedkit.PostLoader;
import io.feedkit.cards.CardField;
import io.feedkit.cards.CardPart;
import io.feedkit.cards.PageAssembly;
import io.feedkit.event.DeliveryLossSuspected;
import io.feedkit.event.FeedListener;
import io.feedkit.event.FeedRead;
import io.feedkit.event.FollowChanged;
import io.feedkit.event.InboxRebuilt;
import io.feedkit.event.InboxRefreshed;
import io.feedkit.event.PostDeleted;
import io.feedkit.event.PostDelivered;
import io.feedkit.event.PostPublished;
import io.feedkit.event.TaskFailed;
import io.feedkit.event.TaskFinished;
import io.feedkit.rank.Ranker;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.KeyRange;
import io.feedkit.testkit.forwarding.ForwardingFollowGraph;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A host with one callback that makes trouble while the trouble is switched on. It also records all events.
 * Thread-safe.
 */
final class TroubledHost implements FeedListener {

    private final Callback troubled;
    private final Runnable trouble;
    private final AtomicInteger reached = new AtomicInteger();
    private final Queue<TaskFailed> failures = new ConcurrentLinkedQueue<>();
    private final Queue<Thread> finishers = new ConcurrentLinkedQueue<>();
    private volatile boolean isTroubled;

    /**
     * A host without trouble so far.
     *
     * @param troubled the callback
     * @param trouble runs before the callback's work while trouble is switched on
     */
    TroubledHost(Callback troubled, Runnable trouble) {
        this.troubled = troubled;
        this.trouble = trouble;
    }

    void trouble(boolean on) {
        isTroubled = on;
    }

    /** How often the callback was in trouble. */
    int reached() {
        return reached.get();
    }

    /** The reported failures of tasks. */
    List<TaskFailed> failures() {
        return List.copyOf(failures);
    }

    /** The threads that finished tasks, in the order of the tasks. */
    List<Thread> finishers() {
        return List.copyOf(finishers);
    }

    /** Called at the beginning of each callback. */
    void at(Callback callback) {
        if (isTroubled && callback == troubled) {
            reached.incrementAndGet();
            trouble.run();
        }
    }

    Collection<Post> visible(String reader, List<Post> posts) {
        at(Callback.FILTER);
        return posts;
    }

    PostLoader<Post> loader() {
        return posts -> {
            at(Callback.LOADER);
            return new Content(posts.stream().collect(Collectors.toMap(Function.identity(), Function.identity())));
        };
    }

    Ranker ranker() {
        return (posts, context) -> {
            at(Callback.RANKER);
            return new double[posts.size()];
        };
    }

    /**
     * Cards with one part.
     *
     * @param limit the part's time limit
     */
    PageAssembly cards(Duration limit) {
        CardPart<String, String> part = CardPart.of("names", (Set<String> authors) -> {
            at(Callback.CARD_PART);
            return authors.stream().collect(Collectors.toMap(Function.identity(), Function.identity()));
        });
        return PageAssembly.of(CardField.content(loader()), part.within(limit).by(Post::author));
    }

    /** Content that is loaded when it is asked for. */
    private final class Content extends AbstractMap<Post, Post> {
        private final Map<Post, Post> known;

        Content(Map<Post, Post> known) {
            this.known = known;
        }

        @Override
        public @Nullable Post get(Object post) {
            at(Callback.CONTENT);
            return known.get(post);
        }

        @Override
        public Set<Entry<Post, Post>> entrySet() {
            at(Callback.CONTENT);
            return known.entrySet();
        }
    }

    Clock clock(Clock sound) {
        return new Clock() {
            @Override
            public Instant instant() {
                at(Callback.CLOCK);
                return sound.instant();
            }

            @Override
            public ZoneId getZone() {
                return sound.getZone();
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        };
    }

    /** The host's own graph, which the engine can only read. */
    FollowGraph graph(FollowGraph sound) {
        return new ForwardingFollowGraph() {
            @Override
            public FollowGraph delegate() {
                return sound;
            }

            @Override
            public List<IdPage> followers(List<FollowerQuery> queries) {
                at(Callback.FOLLOWERS);
                return sound.followers(queries);
            }

            @Override
            public IdPage followees(String reader, String after, int limit) {
                at(Callback.FOLLOWEES);
                return sound.followees(reader, after, limit);
            }

            @Override
            public Set<String> followed(String reader, Collection<String> authors) {
                at(Callback.FOLLOWED);
                return sound.followed(reader, authors);
            }

            @Override
            public Map<String, FollowCounts> counts(Collection<String> users) {
                at(Callback.COUNTS);
                return sound.counts(users);
            }

            @Override
            public List<KeyRange> split(String author, int parts) {
                at(Callback.SPLIT);
                return sound.split(author, parts);
            }
        };
    }

    @Override
    public void published(PostPublished event) {
        at(Callback.PUBLISHED);
    }

    @Override
    public void deleted(PostDeleted event) {
        at(Callback.DELETED);
    }

    @Override
    public void delivered(PostDelivered event) {
        at(Callback.DELIVERED);
    }

    @Override
    public void taskFinished(TaskFinished event) {
        finishers.add(Thread.currentThread());
        at(Callback.TASK_FINISHED);
    }

    @Override
    public void taskFailed(TaskFailed event) {
        failures.add(event);
        at(Callback.TASK_FAILED);
    }

    @Override
    public void read(FeedRead event) {
        at(Callback.READ);
    }

    @Override
    public void rebuilt(InboxRebuilt event) {
        at(Callback.REBUILT);
    }

    @Override
    public void refreshed(InboxRefreshed event) {
        at(Callback.REFRESHED);
    }

    @Override
    public void deliveryLossSuspected(DeliveryLossSuspected event) {
        at(Callback.DOUBTED);
    }

    @Override
    public void followChanged(FollowChanged event) {
        at(Callback.FOLLOW_CHANGED);
    }
}
