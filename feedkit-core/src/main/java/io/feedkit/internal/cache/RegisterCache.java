package io.feedkit.internal.cache;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.cache.Registered.OwnChange;
import io.feedkit.internal.cache.Registered.Span;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Moment;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

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

    /** The most posts that this engine has entered or deleted since the last update. */
    static final int MOST_OWN = 10_000;

    /** What is known, as of when, and where the next update goes on. */
    private record State(KnownRegister known, long at, Optional<Moment> moment) {}

    private final PulledRegister register;
    private final Clock clock;
    private final long stalenessMillis;
    private final SharedUpdates updates = new SharedUpdates(this::update);
    private final OwnChanges own = new OwnChanges();
    /** How many of the own changes an update has told of, or were forgotten. Written under the lock. */
    private volatile long ownTold;

    private final AtomicLong departures = new AtomicLong();
    private final AtomicLong resets = new AtomicLong();
    /** Counts whatever a view may show; after it has changed. */
    private final AtomicLong changes = new AtomicLong();

    private final ReentrantLock changing = new ReentrantLock();
    private volatile State state = unknown();

    private State unknown() {
        return new State(new KnownRegister(false, departures), Long.MIN_VALUE, Optional.empty());
    }

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
            KnownRegister known = state.known();
            RegisterView view = known.areKnown(authors) ? view(known, authors) : RegisterView.OF_NOBODY;
            if (state.known() == known) {
                return view;
            }
        }
    }

    /** What is known of a reader's followees, if it is at most so old and tells of all of them. */
    public Optional<RegisterView> known(FolloweeSet followees, Duration most) {
        long at = state.at();
        long age = clock.millis() - at;
        if (at == Long.MIN_VALUE || age < 0 || age > most.toMillis()) {
            return Optional.empty();
        }
        return Optional.of(known(followees.authors())).filter(view -> view.isAbout(followees.authors()));
    }

    private RegisterView view(Set<String> authors) {
        while (true) {
            KnownRegister known = state.known();
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
        OwnChange change = own.of(author);
        return state.known().of(author).with(change);
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
    private RegisterView view(KnownRegister known, Set<String> authors) {
        long seen = changes.get();
        if (own.isEmpty() && known.registered() == 0) {
            return new RegisterView(authors, Map.of(), seen);
        }
        Map<String, Registered> found = new HashMap<>();
        Consumer<String> add = author -> {
            // The own change first: it is forgotten only when the register has told of it.
            OwnChange change = own.of(author);
            Registered each = known.of(author).with(change);
            if (!each.isNothing()) {
                found.put(author, each);
            }
        };
        if (own.authors() + known.registered() < authors.size()) {
            own.forEachOf(authors, add);
            known.forEachOf(authors, add);
        } else {
            authors.forEach(add);
        }
        return new RegisterView(authors, found, seen);
    }

    /** Asks for what changed, and for those of some authors that are not known; called by one thread at a time. */
    private void update(Collection<Set<String>> authors) {
        long resetsBefore = resets.get();
        State before = state;
        long at = clock.millis();
        long ownBefore = own.count();
        own.updateBegins();
        Optional<Moment> since = before.moment();
        Set<String> asked = new HashSet<>();
        for (Set<String> each : authors) {
            if (since.isEmpty() || !before.known().areKnown(each)) {
                asked.addAll(each);
            }
        }
        if (since.isPresent()) {
            asked.removeIf(before.known()::isKnown);
            if (!asked.isEmpty() && before.known().authors() + asked.size() > MOST_AUTHORS) {
                since = Optional.empty();
                authors.forEach(asked::addAll);
            }
        }
        Update update = register.update(since, asked, WHOLE);
        KnownRegister known = before.known();
        if (update.scope() != Scope.CHANGES) {
            known = new KnownRegister(update.scope() == Scope.WHOLE, departures);
        }
        known.apply(update, asked);
        boolean tooLarge = known.isWhole() && isNews(update) && known.size() > 2 * WHOLE;
        State now = new State(known, at, tooLarge ? Optional.empty() : Optional.of(update.moment()));
        if (!own.anyBeforeUpdate() && known == before.known() && !isNews(update)) {
            replace(now, resetsBefore, ownBefore);
        } else {
            // Before, since views from before must not pass for new ones; and after, since views may change with it.
            changes.incrementAndGet();
            replace(now, resetsBefore, ownBefore);
            changes.incrementAndGet();
        }
    }

    private static boolean isNews(Update update) {
        return !update.entries().isEmpty()
                || !update.retracting().isEmpty()
                || !update.retracted().isEmpty();
    }

    private void replace(State now, long resetsBefore, long ownBefore) {
        changing.lock();
        try {
            ownTold = Math.max(ownTold, ownBefore);
            if (own.anyBeforeUpdate() || now.known() != state.known()) {
                // This engine's deletes are no longer known once they go, if they were retracted meanwhile.
                departures.incrementAndGet();
            }
            state = resets.get() == resetsBefore ? now : unknown();
            own.updateSucceeded();
        } finally {
            changing.unlock();
        }
    }

    /** Enters posts that were not pushed. */
    public void put(List<Post> unpushed) {
        register.put(unpushed);
        for (Post post : unpushed) {
            changed(post.author(), 1, (change, number) -> change.andEntered(Span.of(post), number));
        }
    }

    /** Says that this engine has deleted posts. */
    public void deleted(Collection<PostKey> keys) {
        KnownRegister.idsByAuthor(keys)
                .forEach((author, ids) ->
                        changed(author, ids.size(), (change, number) -> change.andDeleted(ids, number)));
    }

    /**
     * Notes an own change. An engine that changes the register and never reads does not keep all its changes: it
     * forgets all it knows.
     */
    private void changed(String author, int posts, OwnChanges.Step step) {
        own.add(author, posts, step);
        changes.incrementAndGet();
        if (own.count() - ownTold >= MOST_OWN) {
            reset();
        }
    }

    private void reset() {
        changing.lock();
        try {
            if (own.count() - ownTold >= MOST_OWN) {
                state = unknown();
                ownTold = own.count();
                own.clear();
                changes.incrementAndGet();
                // Last: an update that has seen it begins from the unknown state.
                resets.incrementAndGet();
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

    /** How many posts are kept that this engine deleted, and of how many authors own changes. */
    int ownChanges() {
        return own.size();
    }

    /** How many authors are known one by one, and how many are registered. */
    int size() {
        KnownRegister known = state.known();
        return known.authors() + known.registered();
    }
}
