package io.feedkit.internal.cache;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.cache.Registered.OwnChange;
import io.feedkit.internal.cache.Registered.Span;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.PulledRegister.Moment;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What this engine knows of the pulled register, at most {@code staleness} old, and over it this engine's own changes,
 * which therefore show at once.
 *
 * <p>A small register is known whole. Of a large one only the authors are known that this engine's readers follow.
 * Either way an update tells what changed since the last one, and of the authors that were not known yet. All threads
 * that wait share one update ({@link SharedUpdates}). An engine that nobody reads asks nothing. Thread-safe.
 */
public final class RegisterCache {

    /** A register of at most so many entries and posts being retracted is known whole. */
    static final int WHOLE = 10_000;

    /** The most authors known of a larger register. With more of them it begins again. */
    static final int MOST_AUTHORS = 80_000;

    /** The most authors whose registration this engine has changed since the last update. */
    static final int MOST_OWN = 10_000;

    /**
     * What is known since the register was last asked from the beginning. Updates change it, so that an author's state
     * is always replaced as a whole.
     */
    private static final class Known {

        private final boolean whole;
        private final Map<String, Registered> registered = new ConcurrentHashMap<>();
        /** The authors that are known, registered or not, unless all are. */
        private final Set<String> authors = ConcurrentHashMap.newKeySet();

        Known(boolean whole) {
            this.whole = whole;
        }

        boolean isKnown(String author) {
            return whole || authors.contains(author);
        }

        boolean areKnown(Set<String> all) {
            return whole || authors.containsAll(all);
        }
    }

    /** What is known, as of when, and where the next update goes on. */
    private record State(Known known, long at, Optional<Moment> moment) {}

    private static final State UNKNOWN = new State(new Known(false), Long.MIN_VALUE, Optional.empty());

    private final PulledRegister register;
    private final Clock clock;
    private final long stalenessMillis;
    private final SharedUpdates updates = new SharedUpdates(this::update);
    private final Map<String, OwnChange> own = new ConcurrentHashMap<>();
    private final AtomicLong ownChanges = new AtomicLong();
    private final AtomicLong departures = new AtomicLong();
    private final AtomicLong resets = new AtomicLong();
    /** Counts whatever a view may show; after it has changed. */
    private final AtomicLong changes = new AtomicLong();

    private final ReentrantLock changing = new ReentrantLock();
    private volatile State state = UNKNOWN;

    public RegisterCache(PulledRegister register, EngineSettings settings) {
        this(register, settings.clock(), settings.staleness().toMillis());
    }

    RegisterCache(PulledRegister register, Clock clock, long stalenessMillis) {
        this.register = register;
        this.clock = clock;
        this.stalenessMillis = stalenessMillis;
    }

    /**
     * What is registered of some authors, as it was at most {@code staleness} ago, and in part later.
     *
     * @throws io.feedkit.StoreUnavailableException if the register has to be asked and cannot be reached
     */
    public RegisterView current(Set<String> authors) {
        if (isStale()) {
            updates.await(authors, this::isStale);
        }
        return view(authors);
    }

    /** The same of a reader's followees. */
    public RegisterView current(FolloweeSet followees) {
        if (isStale()) {
            updates.await(followees.authors(), this::isStale);
        }
        return view(followees);
    }

    /**
     * What is registered of some authors at some moment during the call, or later.
     *
     * @throws io.feedkit.StoreUnavailableException if the register cannot be reached
     */
    public RegisterView latest(Set<String> authors) {
        updates.await(authors, () -> true);
        return view(authors);
    }

    /** The same of a reader's followees. */
    public RegisterView latest(FolloweeSet followees) {
        updates.await(followees.authors(), () -> true);
        return view(followees);
    }

    /** The view that was taken last, if nothing has changed since. */
    private RegisterView view(FolloweeSet followees) {
        RegisterView last = followees.view();
        if (last.change() == changes.get()) {
            return last;
        }
        RegisterView view = view(followees.authors());
        followees.keep(view);
        return view;
    }

    /** What is known of some authors, however old that is. It tells of no authors if it does not know all of them. */
    public RegisterView known(Set<String> authors) {
        while (true) {
            Known known = state.known();
            RegisterView view = known.areKnown(authors) ? view(known, authors) : RegisterView.OF_NOBODY;
            if (state.known() == known) {
                return view;
            }
        }
    }

    private RegisterView view(Set<String> authors) {
        while (true) {
            Known known = state.known();
            if (!known.areKnown(authors)) {
                updates.await(authors, () -> !state.known().areKnown(authors));
                continue;
            }
            RegisterView view = view(known, authors);
            if (state.known() == known) {
                return view;
            }
        }
    }

    /** What is known of one author now, however old that is; nothing if the author is not known. */
    public Registered lastKnown(String author) {
        OwnChange change = own.get(author);
        return state.known().registered.getOrDefault(author, Registered.NOTHING).with(change);
    }

    /** How old what is known is, in milliseconds; {@link Long#MAX_VALUE} if nothing is known. */
    public long age() {
        long at = state.at();
        return at == Long.MIN_VALUE ? Long.MAX_VALUE : Math.max(0, clock.millis() - at);
    }

    /**
     * How often something left the register, as far as is known. If that is the same before and after a view was taken,
     * the view also tells of everything that was registered before.
     */
    public long departures() {
        return departures.get();
    }

    public boolean isStale() {
        State now = state;
        long age = clock.millis() - now.at();
        return now.at() == Long.MIN_VALUE || age < 0 || age >= stalenessMillis;
    }

    /** Collects what is registered through whichever is smaller: the authors, or all that is registered. */
    private RegisterView view(Known known, Set<String> authors) {
        long seen = changes.get();
        if (known.registered.isEmpty() && own.isEmpty()) {
            return new RegisterView(authors, Map.of(), seen);
        }
        Map<String, Registered> found = new HashMap<>();
        Consumer<String> add = author -> {
            // The own change first: it is forgotten only when the register has told of it.
            OwnChange change = own.get(author);
            Registered each =
                    known.registered.getOrDefault(author, Registered.NOTHING).with(change);
            if (!each.isNothing()) {
                found.put(author, each);
            }
        };
        if (known.registered.size() + own.size() < authors.size()) {
            own.keySet().stream().filter(authors::contains).forEach(add);
            known.registered.keySet().stream().filter(authors::contains).forEach(add);
        } else {
            authors.forEach(add);
        }
        return new RegisterView(authors, found, seen);
    }

    /** Asks for what changed, and for authors that are not known; called by one thread at a time. */
    private void update(Set<String> authors) {
        long resetsBefore = resets.get();
        State before = state;
        long at = clock.millis();
        long ownBefore = ownChanges.get();
        Set<String> asked = new HashSet<>(authors);
        Optional<Moment> since = before.moment();
        if (since.isPresent()) {
            asked.removeIf(before.known()::isKnown);
            if (!asked.isEmpty() && before.known().authors.size() + asked.size() > MOST_AUTHORS) {
                since = Optional.empty();
                asked = new HashSet<>(authors);
            }
        }
        Update update = register.update(since, asked, WHOLE);
        Known known = before.known();
        if (update.scope() != Scope.CHANGES) {
            known = new Known(update.scope() == Scope.WHOLE);
        }
        apply(update, known, asked);
        if (!known.whole) {
            // Only now: a view that is taken meanwhile must not take an author for known and not registered.
            known.authors.addAll(asked);
        }
        boolean tooLarge = known.whole && known.registered.size() > 2 * WHOLE;
        replace(new State(known, at, tooLarge ? Optional.empty() : Optional.of(update.moment())), resetsBefore);
        boolean told = own.values().removeIf(change -> change.number() <= ownBefore);
        if (told || known != before.known() || isNews(update)) {
            changes.incrementAndGet();
        }
    }

    private static boolean isNews(Update update) {
        return !update.entries().isEmpty()
                || !update.retracting().isEmpty()
                || !update.retracted().isEmpty();
    }

    private void replace(State now, long resetsBefore) {
        changing.lock();
        try {
            if (now.known() != state.known()) {
                departures.incrementAndGet();
            }
            state = resets.get() == resetsBefore ? now : UNKNOWN;
        } finally {
            changing.unlock();
        }
    }

    private void apply(Update update, Known known, Set<String> asked) {
        update.entries().forEach((author, entry) -> {
            if (known.isKnown(author) || asked.contains(author)) {
                enter(known, author, entry.orElse(null));
            }
        });
        for (PostKey key : update.retracting()) {
            if (known.isKnown(key.author()) || asked.contains(key.author())) {
                known.registered.merge(
                        key.author(),
                        Registered.NOTHING.withRetracting(key.id()),
                        (before, one) -> before.withRetracting(key.id()));
            }
        }
        for (PostKey key : update.retracted()) {
            leave(known, key.author(), before -> before.withoutRetracting(key.id()));
        }
    }

    private void enter(Known known, String author, @Nullable Entry entry) {
        if (entry == null) {
            leave(known, author, before -> before.withEntry(null));
        } else {
            known.registered.merge(
                    author, Registered.NOTHING.withEntry(entry), (before, one) -> before.withEntry(entry));
        }
    }

    private interface Change {
        Registered of(Registered before);
    }

    /** Something leaves the register. That is counted before it shows in a view. */
    private void leave(Known known, String author, Change change) {
        if (known.registered.containsKey(author)) {
            departures.incrementAndGet();
            known.registered.computeIfPresent(author, (same, before) -> {
                Registered after = change.of(before);
                return after.isNothing() ? null : after;
            });
        }
    }

    /** Enters posts that were not pushed. */
    public void put(List<Post> unpushed) {
        register.put(unpushed);
        for (Post post : unpushed) {
            changed(post.author(), (change, number) -> change.andEntered(Span.of(post), number));
        }
    }

    /** Says that this engine has deleted a post. */
    public void deleted(PostKey key) {
        changed(key.author(), (change, number) -> change.andDeleted(key.id(), number));
    }

    private interface OwnStep {
        OwnChange of(OwnChange before, long number);
    }

    /**
     * Notes an own change. An engine that changes the register and never reads does not keep all its changes: it
     * forgets all it knows.
     */
    private void changed(String author, OwnStep step) {
        if (own.size() >= MOST_OWN) {
            reset();
        }
        own.compute(
                author,
                (same, before) -> step.of(before == null ? OwnChange.NONE : before, ownChanges.incrementAndGet()));
        changes.incrementAndGet();
    }

    private void reset() {
        changing.lock();
        try {
            if (own.size() >= MOST_OWN) {
                resets.incrementAndGet();
                state = UNKNOWN;
                own.clear();
                changes.incrementAndGet();
            }
        } finally {
            changing.unlock();
        }
    }

    /** Removes an author's entry, if it still has this version. */
    public boolean remove(String author, long version) {
        return register.remove(author, version);
    }

    /** Says that posts are retracted for good. */
    public void retracted(List<PostKey> keys) {
        register.retracted(keys);
    }

    /** Of how many authors own changes are kept. */
    int ownChanges() {
        return own.size();
    }

    /** How many authors are known one by one, and how many are registered. */
    int size() {
        Known known = state.known();
        return known.authors.size() + known.registered.size();
    }
}
