package io.feedkit.internal.cache;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.cache.RegisterView.Registrations;
import io.feedkit.internal.cache.Registered.OwnChange;
import io.feedkit.internal.cache.Registered.Span;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.signal.FeedSignals;
import io.feedkit.internal.signal.Signal;
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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * This engine's knowledge of the pulled register, at most {@code staleness} old. The engine's own changes are added to
 * it, so they show at once.
 *
 * <p>A small register is cached as a whole. Of a large register, only the authors whom this engine's readers follow are
 * cached. In both cases an update brings the changes since the last update, and the state of authors that were not
 * known yet. All waiting threads share one update ({@link SharedUpdates}). An engine without reads makes no updates.
 * Thread-safe.
 */
public final class RegisterCache {

    /** A register with at most this number of entries and posts being retracted is cached as a whole. */
    static final int WHOLE = 10_000;

    /** The most authors cached of a larger register. With more authors, the cache starts again empty. */
    static final int MOST_AUTHORS = 80_000;

    /** The most posts that this engine has entered or deleted since the last update. */
    static final int MOST_OWN = 10_000;

    /**
     * The most registered authors for each author of a view that uses the shared registrations. If the register changes
     * before each page, nothing is reused, and a view collects at most twice as many registrations as it needs.
     */
    private static final int MOST_SHARED = 2;

    /** The registrations of all authors after a change; views share them. */
    private record All(KnownRegister known, long change, Registrations registrations) {}

    /** The cached register, the time of its update, and the moment from which the next update continues. */
    private record State(KnownRegister known, long at, Optional<Moment> moment) {}

    private final PulledRegister register;
    private final FeedSignals signals;
    private final Clock clock;
    private final long stalenessMillis;
    private final SharedUpdates updates = new SharedUpdates(this::update);
    private final OwnChanges own = new OwnChanges();
    /** The number of own changes that an update has included, or the cache has discarded. Written under the lock. */
    private volatile long ownCovered;

    private final AtomicLong departures = new AtomicLong();
    private final AtomicLong resets = new AtomicLong();
    /** Counts changes that a view may show. Incremented after the change. */
    private final AtomicLong changes = new AtomicLong();

    private final ReentrantLock changing = new ReentrantLock();
    private volatile State state = unknown();
    private volatile All last = new All(state.known(), -1, Registrations.NONE);
    private volatile Consumer<Update> news = update -> {};

    private State unknown() {
        return new State(new KnownRegister(false, departures), Long.MIN_VALUE, Optional.empty());
    }

    public RegisterCache(PulledRegister register, EngineSettings settings, FeedSignals signals) {
        this(register, settings.clock(), settings.reading().staleness().toMillis(), signals);
    }

    RegisterCache(PulledRegister register, Clock clock, long stalenessMillis) {
        this(register, clock, stalenessMillis, FeedSignals.NONE);
    }

    private RegisterCache(PulledRegister register, Clock clock, long stalenessMillis, FeedSignals signals) {
        this.register = register;
        this.signals = signals;
        this.clock = clock;
        this.stalenessMillis = stalenessMillis;
    }

    /**
     * The registration of some authors, as it was at most {@code staleness} ago; a part may be newer.
     *
     * @throws io.feedkit.StoreUnavailableException if the register has to be read and cannot be reached
     */
    public RegisterView current(Set<String> authors) {
        if (isStale()) {
            updates.await(authors, this::isStale);
        }
        return view(authors);
    }

    /** As {@link #current(Set)}, for a reader's followees. */
    public RegisterView current(FolloweeSet followees) {
        if (isStale()) {
            updates.await(followees.authors(), this::isStale);
        }
        return view(followees);
    }

    /** As {@link #current(FolloweeSet)}, for several readers. If the register has to be read, it is read once. */
    public List<RegisterView> current(List<FolloweeSet> followees) {
        BooleanSupplier needed = () -> isStale() || !followees.stream().allMatch(this::areKnown);
        if (needed.getAsBoolean()) {
            Set<String> authors = new HashSet<>();
            followees.forEach(each -> authors.addAll(each.authors()));
            updates.await(authors, needed);
        }
        return followees.stream().map(this::view).toList();
    }

    private boolean areKnown(FolloweeSet followees) {
        return isUnchangedSince(followees.view()) || state.known().areKnown(followees.authors());
    }

    /** Whether the cache has not changed since a view was taken, so that all views since then are like it. */
    public boolean isUnchangedSince(RegisterView view) {
        return view.change() == changes.get();
    }

    /**
     * The registration of some authors at some moment during the call, or later.
     *
     * @throws io.feedkit.StoreUnavailableException if the register cannot be reached
     */
    public RegisterView latest(Set<String> authors) {
        updates.await(authors, () -> true);
        return view(authors);
    }

    /** As {@link #latest(Set)}, for a reader's followees. */
    public RegisterView latest(FolloweeSet followees) {
        updates.await(followees.authors(), () -> true);
        return view(followees);
    }

    /** A view of a reader's followees: the last view if nothing has changed since, otherwise a new one. */
    private RegisterView view(FolloweeSet followees) {
        RegisterView last = followees.view();
        if (isUnchangedSince(last)) {
            return last;
        }
        RegisterView view = view(followees.authors());
        followees.keep(view);
        return view;
    }

    /**
     * The cached registration of some authors, of any age. The view is about nobody unless all of these authors are
     * known.
     */
    public RegisterView known(Set<String> authors) {
        while (true) {
            KnownRegister known = state.known();
            RegisterView view = known.areKnown(authors) ? view(known, authors) : RegisterView.OF_NOBODY;
            if (state.known() == known) {
                return view;
            }
        }
    }

    /** As {@link #known(Set)}, for a reader's followees. */
    public RegisterView known(FolloweeSet followees) {
        RegisterView last = followees.view();
        return isUnchangedSince(last) ? last : known(followees.authors());
    }

    /**
     * The cached registration of a reader's followees, if it is not older than {@code most} and all of them are known.
     */
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

    /** The cached registration of one author, of any age; empty if the author is not known. */
    public Registered lastKnown(String author) {
        OwnChange change = own.of(author);
        return state.known().of(author).with(change);
    }

    /**
     * How many departures from the register this engine has noticed. If the number is the same before and after a view
     * was taken, the view also holds everything that was registered before.
     */
    public long departures() {
        return departures.get();
    }

    /** Receives each update from the register that has news, after the cache has it. There is one receiver. */
    public void onNews(Consumer<Update> receiver) {
        news = receiver;
    }

    /** The time of the last update. */
    public long updatedAt() {
        return state.at();
    }

    public boolean isStale() {
        State now = state;
        long age = clock.millis() - now.at();
        return now.at() == Long.MIN_VALUE || age < 0 || age >= stalenessMillis;
    }

    /** Collects the registration of authors. Views that are about most of a small register share it. */
    private RegisterView view(KnownRegister known, Set<String> authors) {
        long seen = changes.get();
        if (own.isEmpty() && known.registered() == 0) {
            return new RegisterView(authors, Registrations.NONE, seen);
        }
        if (!known.isWhole() || own.authors() + known.registered() > MOST_SHARED * authors.size()) {
            return new RegisterView(authors, registrations(known, authors), seen);
        }
        All all = last;
        if (all.known() != known || all.change() != seen) {
            // Own changes first: they move to the known register.
            Set<String> everybody = own.all();
            everybody.addAll(known.all());
            all = new All(known, seen, registrations(known, everybody));
            if (changes.get() == seen) {
                last = all;
            }
        }
        return new RegisterView(authors, all.registrations(), seen);
    }

    /** Iterates over the smaller set: these authors, or all registered ones. */
    private Registrations registrations(KnownRegister known, Set<String> authors) {
        Map<String, Registered> found = new HashMap<>();
        Consumer<String> add = author -> {
            // The own change is read first: it is removed only after an update from the register has included it.
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
        return new Registrations(found);
    }

    /** Reads the changes, and the state of given authors that are not known yet. Called by one thread at a time. */
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
        if (isNews(update)) {
            // Known authors change in place, at once. Counted first, so that a thread that sees a change also sees the
            // new number.
            changes.incrementAndGet();
        }
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
            // Counted before the change, so that an earlier view does not pass as current. Counted again after it,
            // because the change may show in views.
            changes.incrementAndGet();
            replace(now, resetsBefore, ownBefore);
            changes.incrementAndGet();
        }
        if (since.isPresent() && isNews(update)) {
            news.accept(update);
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
            ownCovered = Math.max(ownCovered, ownBefore);
            if (own.anyBeforeUpdate() || now.known() != state.known()) {
                // If this engine's deletes were retracted meanwhile, the cache no longer knows them after this.
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
        if (signals.areWanted()) {
            signals.send(Signal.pulled(unpushed));
        }
    }

    /** Records that this engine has deleted posts. */
    public void deleted(Collection<PostKey> keys) {
        KnownRegister.idsByAuthor(keys)
                .forEach((author, ids) ->
                        changed(author, ids.size(), (change, number) -> change.andDeleted(ids, number)));
        if (signals.areWanted()) {
            signals.send(keys.stream().map(Signal.Deleted::new).toList());
        }
    }

    /**
     * Records an own change. If an engine changes the register without ever reading it, the cache does not keep all
     * these changes: it is cleared.
     */
    private void changed(String author, int posts, OwnChanges.Step step) {
        own.add(author, posts, step);
        changes.incrementAndGet();
        if (own.count() - ownCovered >= MOST_OWN) {
            reset();
        }
    }

    private void reset() {
        changing.lock();
        try {
            if (own.count() - ownCovered >= MOST_OWN) {
                state = unknown();
                ownCovered = own.count();
                own.clear();
                changes.incrementAndGet();
                // This comes last: an update that sees the new number begins from the unknown state.
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

    /** Records that the retraction of posts has finished. */
    public void retracted(List<PostKey> keys) {
        register.retracted(keys);
    }

    /** The number of authors with own changes, plus the number of posts that this engine deleted. */
    int ownChanges() {
        return own.size();
    }

    /** The number of authors that are known one by one, plus the number of registered authors. */
    int size() {
        KnownRegister known = state.known();
        return known.authors() + known.registered();
    }
}
