package io.feedkit.memory;

import static java.util.Objects.requireNonNull;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.Published;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.queue.PostEvent;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.EventRecording;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Order;
import io.feedkit.spi.OutboxWriter;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.TransactionalOutbox;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The outboxes, by author.
 *
 * <p>Locks are taken in this order: authors, in the order of their ids; then the register, the log or the events, never
 * two of them, and each only for one call. So a post and its task are recorded in one step for all callers. The post is
 * read under its author's lock. If a task is claimed early, its worker waits for that lock and then finds the post.
 */
final class MemoryOutbox implements TransactionalOutbox {

    private final String identity;
    private final ConcurrentHashMap<String, AuthorOutbox> authors;
    private final MemoryPulledRegister pulled;
    private final MemoryFanoutLog log;
    private final MemoryPostEventLog events;
    private final boolean recordsEvents;
    private final Clock clock;
    private final AtomicLong archiveBoundary;
    private final MemoryArchiveSource.Lease moverLease;

    MemoryOutbox(Clock clock) {
        this.identity = UUID.randomUUID().toString();
        this.authors = new ConcurrentHashMap<>();
        this.pulled = new MemoryPulledRegister();
        this.log = new MemoryFanoutLog(clock);
        this.events = new MemoryPostEventLog(clock);
        this.recordsEvents = false;
        this.clock = clock;
        this.archiveBoundary = new AtomicLong();
        this.moverLease = new MemoryArchiveSource.Lease(clock);
    }

    /** A view of the same data that records events. */
    private MemoryOutbox(MemoryOutbox other) {
        this.identity = other.identity;
        this.authors = other.authors;
        this.pulled = other.pulled;
        this.log = other.log;
        this.events = other.events;
        this.recordsEvents = true;
        this.clock = other.clock;
        this.archiveBoundary = other.archiveBoundary;
        this.moverLease = other.moverLease;
    }

    @Override
    public Optional<EventRecording> recordingEvents() {
        return Optional.of(new EventRecording(new MemoryOutbox(this), events));
    }

    @Override
    public Optional<ArchiveSource> archiveSource() {
        return Optional.of(new MemoryArchiveSource(this, authors, pulled, archiveBoundary, moverLease));
    }

    /** Whether another outbox is a view of the same data. */
    boolean isViewOf(MemoryOutbox other) {
        return log == other.log;
    }

    @Override
    public List<Appended> append(List<Publication> publications) {
        List<Appended> answers = new ArrayList<>(publications.size());
        for (Publication publication : publications) {
            answers.add(append(publication));
        }
        return Collections.unmodifiableList(answers);
    }

    Appended append(Publication publication) {
        Post post = publication.post();
        AuthorOutbox author = author(post.author());
        long now = clock.millis();
        synchronized (author) {
            Appended answer = author.check(post);
            if (answer.status() == Published.Status.NEW) {
                author.add(post, log.record(kind(publication.mode()), Position.of(post), now));
                recordEvent(PostEvent.Type.CREATED, post);
            }
            return answer;
        }
    }

    @Override
    public List<Appended> appendImported(List<Post> posts, FanoutMode mode) {
        Map<String, List<Post>> byAuthor =
                posts.stream().collect(Collectors.groupingBy(Post::author, LinkedHashMap::new, Collectors.toList()));
        Map<String, Iterator<Appended>> answers = new HashMap<>();
        byAuthor.forEach((author, own) ->
                answers.put(author, importTo(author(author), own, mode).iterator()));
        return posts.stream()
                .map(post -> requireNonNull(answers.get(post.author())).next())
                .toList();
    }

    private List<Appended> importTo(AuthorOutbox author, List<Post> posts, FanoutMode mode) {
        long now = clock.millis();
        synchronized (author) {
            Map<String, Post> fresh = new HashMap<>();
            for (Post post : posts) {
                if (author.check(post).status() == Published.Status.NEW) {
                    fresh.putIfAbsent(post.id(), post);
                }
            }
            long recorded = fresh.isEmpty() ? now : recordImport(fresh.values(), mode, now);
            List<Appended> answers = new ArrayList<>(posts.size());
            for (Post post : posts) {
                Appended answer = author.check(post);
                answers.add(answer);
                if (answer.status() == Published.Status.NEW) {
                    author.add(post, recorded);
                    recordEvent(PostEvent.Type.CREATED, post);
                }
            }
            return answers;
        }
    }

    /** Records the task that imported posts of one author need, and returns the time of recording. */
    private long recordImport(Collection<Post> fresh, FanoutMode mode, long now) {
        Position oldest = Position.of(Collections.min(fresh, Position::compare));
        Position newest = Position.of(Collections.max(fresh, Position::compare));
        FanoutLog.Kind kind = mode == FanoutMode.PUSH ? FanoutLog.Kind.IMPORT : FanoutLog.Kind.PULL;
        return log.recordImport(kind, oldest, newest, now);
    }

    @Override
    public List<Boolean> delete(List<PostKey> keys) {
        List<Boolean> answers = new ArrayList<>(keys.size());
        for (PostKey key : keys) {
            answers.add(delete(key));
        }
        return Collections.unmodifiableList(answers);
    }

    boolean delete(PostKey key) {
        return delete(key, Optional.empty());
    }

    /** Deletes a post. If there is none, but an archived one is given, deletes that. */
    boolean delete(PostKey key, Optional<Post> archived) {
        AuthorOutbox author = author(key.author());
        long now = clock.millis();
        synchronized (author) {
            if (author.isTombstoned(key.id())) {
                return false;
            }
            Optional<Post> post = author.delete(key.id(), clock.millis()).or(() -> archived);
            // The register comes first: the task takes the entry out at its end.
            pulled.retracting(key);
            Position place = post.map(Position::of).orElseGet(() -> Position.ofUnknownTime(key));
            log.record(FanoutLog.Kind.RETRACT, place, now);
            post.ifPresent(deleted -> recordEvent(PostEvent.Type.DELETED, deleted));
            return post.isPresent();
        }
    }

    private void recordEvent(PostEvent.Type type, Post post) {
        if (recordsEvents) {
            events.record(type, post);
        }
    }

    /** The answer that appending a post would give at this moment. */
    Appended check(Post post) {
        AuthorOutbox author = authors.get(post.author());
        return author == null ? new Appended(Published.Status.NEW, post) : author.check(post);
    }

    /** Runs an action while no other caller sees or changes these authors' posts. */
    void locking(Set<String> authorIds, Runnable action) {
        List<AuthorOutbox> inOrder =
                new TreeSet<>(authorIds).stream().map(this::author).toList();
        locking(inOrder.iterator(), action);
    }

    private static void locking(Iterator<AuthorOutbox> inOrder, Runnable action) {
        if (!inOrder.hasNext()) {
            action.run();
            return;
        }
        synchronized (inOrder.next()) {
            locking(inOrder, action);
        }
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public List<List<Post>> newest(List<String> authorIds, PositionRange range, int each) {
        List<List<Post>> answers = new ArrayList<>(authorIds.size());
        for (String id : authorIds) {
            AuthorOutbox author = authors.get(id);
            answers.add(
                    author == null
                            ? List.of()
                            : Collections.unmodifiableList(author.page(range, Order.NEWEST_FIRST, each)));
        }
        return Collections.unmodifiableList(answers);
    }

    @Override
    public List<Post> page(PageQuery query) {
        List<AuthorOutbox> known = new ArrayList<>(query.authors().size());
        for (String id : query.authors()) {
            AuthorOutbox author = authors.get(id);
            if (author != null) {
                known.add(author);
            }
        }
        PageMerge merge = new PageMerge(query.range(), query.order(), query.limit());
        return Collections.unmodifiableList(merge.of(known));
    }

    @Override
    public Map<PostKey, Post> existing(Collection<PostKey> keys) {
        Map<PostKey, Post> existing = new HashMap<>();
        for (PostKey key : keys) {
            AuthorOutbox author = authors.get(key.author());
            Post post = author == null ? null : author.find(key.id());
            if (post != null) {
                existing.put(key, post);
            }
        }
        return Collections.unmodifiableMap(existing);
    }

    @Override
    public Set<PostKey> tombstones(Collection<PostKey> keys) {
        return keys.stream()
                .filter(key -> {
                    AuthorOutbox author = authors.get(key.author());
                    return author != null && author.isTombstoned(key.id());
                })
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public List<Counted> count(List<CountQuery> queries) {
        List<Counted> counts = new ArrayList<>(queries.size());
        for (CountQuery query : queries) {
            counts.add(new Counted(count(query), read(query)));
        }
        return Collections.unmodifiableList(counts);
    }

    private int count(CountQuery query) {
        PositionRange range = query.counted();
        int count = 0;
        for (String id : query.authors()) {
            AuthorOutbox author = authors.get(id);
            count += author == null ? 0 : author.count(range);
            if (count >= query.limit()) {
                return query.limit();
            }
        }
        return count;
    }

    private List<Post> read(CountQuery query) {
        return query.read().isEmpty()
                ? List.of()
                : page(new PageQuery(query.authors(), query.read(), Order.NEWEST_FIRST, query.limit()));
    }

    @Override
    public Map<String, Long> lastAppended(Collection<String> authorIds) {
        Map<String, Long> times = new HashMap<>();
        for (String id : authorIds) {
            AuthorOutbox author = authors.get(id);
            if (author != null) {
                author.lastAppended().ifPresent(at -> times.put(id, at));
            }
        }
        return Collections.unmodifiableMap(times);
    }

    @Override
    public Optional<Set<PostKey>> deletedSince(Collection<String> authorIds, long since, int each) {
        Set<PostKey> deleted = new HashSet<>();
        for (String id : authorIds) {
            AuthorOutbox author = authors.get(id);
            List<String> found = author == null ? List.of() : author.deletedSince(since, each + 1);
            if (found.size() > each) {
                return Optional.empty();
            }
            found.forEach(post -> deleted.add(new PostKey(id, post)));
        }
        return Optional.of(Collections.unmodifiableSet(deleted));
    }

    @Override
    public void forEachAuthor(Predicate<List<String>> visitor) {
        Listing.of(authors.keySet(), visitor);
    }

    @Override
    public long settledMark() {
        return log.settledMark();
    }

    @Override
    public PulledRegister pulled() {
        return pulled;
    }

    @Override
    public FanoutLog fanout() {
        return log;
    }

    @Override
    public boolean canJoin(Class<? extends PublishTransaction> type) {
        return InMemoryTransaction.class.isAssignableFrom(type);
    }

    @Override
    public OutboxWriter joining(PublishTransaction transaction) {
        return open(transaction).writer(this);
    }

    @Override
    public Set<String> pulledAmong(PublishTransaction transaction, Collection<String> authorIds) {
        open(transaction);
        return pulled.registered(authorIds);
    }

    @Override
    public long invisibleSince(PublishTransaction transaction) {
        open(transaction);
        return log.invisibleSince();
    }

    InMemoryTransaction open(PublishTransaction transaction) {
        if (!(transaction instanceof InMemoryTransaction own) || !own.isOf(this)) {
            throw new IllegalArgumentException(
                    "transaction must be one that this store began (InMemoryFeedStore.begin), but is "
                            + (transaction instanceof InMemoryTransaction
                                    ? "another store's: " + transaction
                                    : "of type " + transaction.getClass().getSimpleName()));
        }
        if (own.isOver()) {
            throw new IllegalArgumentException("transaction is over: " + transaction);
        }
        return own;
    }

    private AuthorOutbox author(String id) {
        return authors.computeIfAbsent(id, key -> new AuthorOutbox());
    }

    private static FanoutLog.Kind kind(FanoutMode mode) {
        return switch (mode) {
            case PUSH -> FanoutLog.Kind.PUSH;
            case PULL -> FanoutLog.Kind.PULL;
            case PUSH_ACTIVE -> FanoutLog.Kind.PUSH_ACTIVE;
        };
    }
}
