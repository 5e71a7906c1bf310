package io.feedkit.internal.cache;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.cache.Registered.Span;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PulledRegister.Entry;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enforces one rule for all pages: a post that a page has shown is on every later page of that reader, until it is
 * deleted, unfollowed or hidden.
 *
 * <p>A page that is built from an inbox shows a post when the inbox holds it, or when the post is in the pulled
 * register. A page that is read from the outboxes instead finds a post at once, even if its push has not reached the
 * inbox. Such a page enters the post in the register before it shows the post. From then on, pages of every kind show
 * it, on this engine at once and on other engines within the staleness bound. The author leaves the register after the
 * push, like any other pulled author. If the push was done before the page, the author's next push may be far away. So
 * this engine remembers the authors that it entered and that were not in the register before. When the settled mark has
 * passed their posts, it begins the catch-up itself. It ignores an entry that was made or changed by anything else: the
 * posts of such an entry may be pulled on purpose.
 *
 * <p>Most posts need no entry, because their push is done. All posts of an author are settled if the author has not
 * appended since the {@linkplain Outbox#settledMark settled mark}. They are also settled if the author never appended:
 * rows of a host's own table that were not published have no push. The mark is cached for as long as the register. Each
 * time, the mark is read before the register is updated. So a post that was pulled before the mark is known to be
 * registered. Thread-safe.
 */
public final class PostVisibility {

    private static final Logger log = LoggerFactory.getLogger(PostVisibility.class);

    /** The most authors remembered. Others leave the register after their next push. */
    private static final int MOST_EARLY = 10_000;

    /** The most authors checked at a time, because each needs a call. */
    private static final int MOST_AT_ONCE = 50;

    /**
     * An author that this engine has entered, and that was not in the register before.
     *
     * @param version the version of the entry, if it is known
     * @param span from the oldest to the newest post that was entered
     * @param appended when the author last appended
     */
    private record Early(OptionalLong version, Span span, long appended) {

        boolean isOf(Entry entry) {
            return version.isPresent()
                    ? version.getAsLong() == entry.version()
                    : span.equals(new Span(entry.oldest(), entry.newest()));
        }
    }

    /** A settled mark, and when this engine asked for it. */
    private record Mark(long settled, long askedAt) {}

    private final String engine;
    private final Outbox outbox;
    private final RegisterCache registerCache;
    private final Clock clock;
    private final long maxAgeMillis;
    private final SharedUpdates updates = new SharedUpdates(authors -> update());
    private final Map<String, Early> early = new ConcurrentHashMap<>();
    private final ReentrantLock looking = new ReentrantLock();
    private volatile Mark mark = new Mark(0, Long.MIN_VALUE);
    private volatile long lookedAt = Long.MIN_VALUE;

    public PostVisibility(EngineSettings settings, Outbox outbox, RegisterCache registerCache) {
        this.engine = settings.name();
        this.outbox = outbox;
        this.registerCache = registerCache;
        this.clock = settings.clock();
        this.maxAgeMillis = settings.reading().staleness().toMillis();
    }

    /**
     * Makes posts visible to pages of every kind.
     *
     * @param posts posts that a page found in the outboxes, and that were not registered in its view of the register
     * @throws io.feedkit.StoreUnavailableException if the outbox cannot be reached; then the page must not be shown
     */
    public void ensure(Collection<Post> posts) {
        if (posts.isEmpty()) {
            return;
        }
        updates.await(Set.of(), this::isMarkOld);
        long settled = mark.settled();
        Map<String, Long> appended = outbox.lastAppended(authors(posts));
        List<Post> unsettled = posts.stream()
                .filter(post -> appended.getOrDefault(post.author(), Long.MIN_VALUE) >= settled)
                .toList();
        if (unsettled.isEmpty()) {
            return;
        }
        RegisterView latest = registerCache.latest(authors(unsettled));
        List<Post> unregistered =
                unsettled.stream().filter(post -> !latest.isUnpushed(post)).toList();
        if (!unregistered.isEmpty()) {
            enter(unregistered, appended, latest.registered());
        }
    }

    private void enter(List<Post> posts, Map<String, Long> appended, Map<String, Registered> before) {
        Map<String, Early> entered = new HashMap<>();
        for (Post post : posts) {
            String author = post.author();
            if (isOwn(author, before.get(author))) {
                long last = appended.getOrDefault(author, Long.MIN_VALUE);
                Early one = new Early(OptionalLong.empty(), Span.of(post), last);
                entered.merge(
                        author, one, (x, y) -> new Early(x.version(), x.span().and(y.span()), last));
            }
        }
        try {
            registerCache.put(posts);
        } catch (OutcomeUnknownException e) {
            entered.forEach(this::remember);
            // The page is not shown. If the posts were entered, they are only visible earlier.
            throw new StoreUnavailableException("feed.read", e);
        }
        entered.forEach(this::remember);
        registerCache.latest(entered.keySet()).registered().forEach((author, registered) -> {
            Early early = entered.get(author);
            if (early != null && registered.entry() != null) {
                OptionalLong version = OptionalLong.of(registered.entry().version());
                remember(author, new Early(version, early.span(), early.appended()));
            }
        });
    }

    /** Whether only pages of this engine have entered the author. */
    private boolean isOwn(String author, @Nullable Registered before) {
        if (before == null || (before.entry() == null && before.own() == null)) {
            return true;
        }
        Early known = early.get(author);
        return known != null && before.entry() != null && known.isOf(before.entry());
    }

    private void remember(String author, Early entered) {
        if (early.size() < MOST_EARLY || early.containsKey(author)) {
            early.put(author, entered);
        }
    }

    /**
     * Begins catch-ups for the authors that this engine entered and whose pushes are done by now; a catch-up takes its
     * author off the register. Runs at most once per staleness bound, for some of the authors at a time. Never fails: a
     * failed step is tried again at a later call.
     */
    public void lookIfDue() {
        if (early.isEmpty() || !isOld(lookedAt) || !looking.tryLock()) {
            return;
        }
        try {
            lookedAt = clock.millis();
            look();
        } catch (Exception e) {
            Interrupts.keep(e);
            log.debug(
                    "{}: cannot begin catch-ups; {} authors stay in the pulled register until a later try",
                    engine,
                    early.size(),
                    FailureReasons.printable(e));
        } finally {
            looking.unlock();
        }
    }

    private void look() {
        updates.await(Set.of(), this::isMarkOld);
        long settled = mark.settled();
        Map<String, Early> passed = early.entrySet().stream()
                .filter(each -> each.getValue().appended() < settled)
                .limit(MOST_AT_ONCE)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        if (passed.isEmpty()) {
            return;
        }
        Map<String, Registered> latest = registerCache.latest(passed.keySet()).registered();
        passed.forEach((author, entered) -> {
            Registered registered = latest.get(author);
            Entry entry = registered == null ? null : registered.entry();
            if (entry != null && entered.isOf(entry)) {
                outbox.fanout().catchUp(author, entry);
            }
            early.remove(author, entered);
        });
    }

    private static Set<String> authors(Collection<Post> posts) {
        return posts.stream().map(Post::author).collect(Collectors.toSet());
    }

    private boolean isMarkOld() {
        return isOld(mark.askedAt());
    }

    private boolean isOld(long time) {
        long age = clock.millis() - time;
        return time == Long.MIN_VALUE || age < 0 || age >= maxAgeMillis;
    }

    private void update() {
        long askedAt = clock.millis();
        long settled = outbox.settledMark();
        registerCache.latest(Set.of());
        mark = new Mark(settled, askedAt);
    }
}
