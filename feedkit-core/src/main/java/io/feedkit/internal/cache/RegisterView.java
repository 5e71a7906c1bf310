package io.feedkit.internal.cache;

import static java.util.Objects.requireNonNull;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.PulledRegister.Snapshot;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What this engine knows of the pulled register: a snapshot that is at most {@code staleness} old, and over it this engine's own changes, which
 * therefore show at once. Thread-safe.
 *
 * <p>A page asks one {@link Known} throughout, of before its first look at the inbox. What leaves the register later was in no inbox that was looked at before: an
 * author whose catch-up ends, a deleted post whose retraction ends. A version that is the known one after the look was it at the look, too, since versions of a register that answers later
 * do not return.
 */
public final class RegisterView {

    /**
     * What was known at one moment, and this engine's own changes until something newer is known.
     *
     * @param snapshot the register
     * @param at when it was asked for
     * @param ownPulled what this engine entered since, from the oldest to the newest of each author
     * @param ownRetracting the posts that this engine deleted since
     */
    public record Known(Snapshot snapshot, long at, Map<String, Span> ownPulled, Set<PostKey> ownRetracting) {

        public boolean isRetracting(Post post) {
            Set<PostKey> retracting = snapshot.retracting();
            if (retracting.isEmpty() && ownRetracting.isEmpty()) {
                return false;
            }
            PostKey key = post.key();
            return ownRetracting.contains(key) || retracting.contains(key);
        }

        /** Whether posts by some of these authors are being retracted, and may stand in inboxes. */
        public boolean isRetractingAnyOf(Set<String> authors) {
            return isAnyOf(authors, snapshot.retracting()) || isAnyOf(authors, ownRetracting);
        }

        private static boolean isAnyOf(Set<String> authors, Set<PostKey> posts) {
            return !posts.isEmpty() && posts.stream().anyMatch(post -> authors.contains(post.author()));
        }

        public boolean isPulled(String author) {
            return snapshot.pulled().containsKey(author) || ownPulled.containsKey(author);
        }

        /**
         * Whether a post is among its author's unpushed ones, which readers find in the outbox. The author's others come by their own pushes: if a page showed them before, they would
         * be gone when the author leaves the register, until their pushes are done.
         */
        public boolean isUnpushed(Post post) {
            Entry entry = snapshot.pulled().get(post.author());
            if (entry != null
                    && entry.oldest().compareOf(post) >= 0
                    && entry.newest().compareOf(post) <= 0) {
                return true;
            }
            Span own = ownPulled.get(post.author());
            return own != null
                    && own.oldest().compareOf(post) >= 0
                    && own.newest().compareOf(post) <= 0;
        }

        /** Where the {@linkplain #isUnpushed unpushed} posts of each of these authors are, of those who have any; found through whichever is smaller, these authors or the register. */
        public Map<String, Unpushed> unpushed(Set<String> authors) {
            if (snapshot.pulled().isEmpty() && ownPulled.isEmpty()) {
                return Map.of();
            }
            Map<String, Unpushed> found = new HashMap<>();
            forEachPulled(authors, author -> found.put(author, unpushed(author)));
            return found;
        }

        private Unpushed unpushed(String author) {
            Entry entry = snapshot.pulled().get(author);
            Span own = ownPulled.get(author);
            if (entry == null || own == null) {
                Position oldest = entry == null ? requireNonNull(own).oldest() : entry.oldest();
                Position newest = entry == null ? requireNonNull(own).newest() : entry.newest();
                return new Unpushed(new PositionRange(oldest, newest.next()), true);
            }
            boolean touch = own.oldest().compareTo(entry.newest()) <= 0
                    && entry.oldest().compareTo(own.newest()) <= 0;
            Position oldest = Position.min(entry.oldest(), own.oldest());
            Position newest = Position.max(entry.newest(), own.newest());
            return new Unpushed(new PositionRange(oldest, newest.next()), touch);
        }

        /** Those of the authors whose unpushed posts may be among the next of a walk; found through whichever is smaller, these authors or the register. */
        public PulledAuthors pulled(Set<String> authors, PositionRange range, Order order, int limit, HeadCache heads) {
            if (snapshot.pulled().isEmpty() && ownPulled.isEmpty()) {
                return PulledAuthors.NONE;
            }
            PulledAuthors.Choice choice = new PulledAuthors.Choice(range, order, limit);
            long now = heads.now();
            forEachPulled(authors, author -> consider(choice, heads, now, author));
            return choice.made();
        }

        private void forEachPulled(Set<String> authors, Consumer<String> action) {
            Set<String> registered = snapshot.pulled().keySet();
            if (registered.size() + ownPulled.size() >= authors.size()) {
                authors.stream().filter(this::isPulled).forEach(action);
            } else {
                registered.stream().filter(authors::contains).forEach(action);
                ownPulled.keySet().stream()
                        .filter(author -> authors.contains(author) && !registered.contains(author))
                        .forEach(action);
            }
        }

        private void consider(PulledAuthors.Choice choice, HeadCache heads, long now, String author) {
            Entry entry = snapshot.pulled().get(author);
            Span own = ownPulled.get(author);
            Position newest = Position.max(
                    entry == null ? Position.LOWEST : entry.newest(), own == null ? Position.LOWEST : own.newest());
            if (newest.compareTo(Position.LOWEST) > 0) {
                heads.begin(author, newest, now).ifPresent(begin -> choice.consider(author, begin));
            }
        }
    }

    /**
     * Where the unpushed posts of an author are.
     *
     * @param range from the oldest to the newest
     * @param all whether all posts of the range are unpushed; false if this engine entered some that lie apart from those of the snapshot
     */
    public record Unpushed(PositionRange range, boolean all) {}

    /** From the oldest to the newest of an author's unpushed posts. */
    record Span(Position oldest, Position newest) {

        private static Span of(Post post) {
            return new Span(Position.of(post), Position.of(post));
        }

        private Span and(Span other) {
            return new Span(Position.min(oldest, other.oldest), Position.max(newest, other.newest));
        }
    }

    /** Whether what a page goes by is still so. */
    @FunctionalInterface
    public interface Check {

        /** It is. */
        Check DONE = () -> false;

        /**
         * Waits for the answer.
         *
         * @return whether the register has changed. Then something newer is known, and what has left the register may be missing in an inbox that was looked at meanwhile
         */
        boolean hasChanged();
    }

    /** The last fetch, if it failed; guarded by {@code refreshing}. */
    private record Failed(long fetch, RuntimeException cause) {
        static Failed of(long fetch, Exception cause) {
            return new Failed(
                    fetch,
                    cause instanceof RuntimeException unchecked ? unchecked : new UndeclaredThrowableException(cause));
        }
    }

    /** The most authors, and the most deleted posts, of this engine's own changes. */
    static final int MOST_OWN = 10_000;

    private static final long BOUNDED_EVERY_MILLIS = 100;

    private final PulledRegister register;
    private final Clock clock;
    private final long stalenessMillis;
    private final ReentrantLock refreshing = new ReentrantLock();
    private final AtomicLong begun = new AtomicLong();
    private volatile long fetched;
    private @Nullable Failed failed;
    private final ReentrantLock changing = new ReentrantLock();
    private volatile Known known = unknown();
    private volatile long failedToBound = Long.MIN_VALUE;

    public RegisterView(PulledRegister register, EngineSettings settings) {
        this(register, settings.clock(), settings.staleness().toMillis());
    }

    RegisterView(PulledRegister register, Clock clock, long stalenessMillis) {
        this.register = register;
        this.clock = clock;
        this.stalenessMillis = stalenessMillis;
    }

    /** What is known now. */
    public Known known() {
        return known;
    }

    /** Brings the snapshot up to date if it may be too old. */
    public void refreshIfStale() {
        long came = begun.get();
        if (isStale()) {
            refreshIfStale(came);
        }
    }

    private void refreshIfStale(long came) {
        refresh(came, () -> fetched <= came && isStale(), OptionalLong.empty());
    }

    /** The same for a page, which may look at its inbox before it asks whether the register {@linkplain Check#hasChanged has changed}. */
    public Check checkIfStale() {
        long came = begun.get();
        return isStale() ? check(came, this::refreshIfStale) : Check.DONE;
    }

    /** Whether the snapshot may be too old. Waits for nobody. */
    public boolean isStale() {
        long age = clock.millis() - known.at();
        return age < 0 || age >= stalenessMillis;
    }

    /** Brings the snapshot up to date. Threads that wait for each other share what was fetched, or failed to be, after they came. */
    public Snapshot refresh() {
        return refresh(begun.get());
    }

    private Snapshot refresh(long came) {
        return refresh(came, OptionalLong.empty());
    }

    private Snapshot refresh(long came, OptionalLong outdated) {
        return refresh(came, () -> fetched <= came, outdated);
    }

    /** The same for a page. */
    public Check check() {
        return check(begun.get(), this::refresh);
    }

    /** A register that answers later is asked by each page for itself: whoever waited for another's answer would wait for its look at the inbox, too. */
    private Check check(long came, LongConsumer refresh) {
        long now = clock.millis();
        Known before = known;
        Optional<LongSupplier> asked = before.at() == Long.MIN_VALUE ? Optional.empty() : register.versionLater();
        if (asked.isEmpty()) {
            refresh.accept(came);
            return Check.DONE;
        }
        return () -> {
            long version = before.snapshot().version();
            boolean changed = asked.get().getAsLong() != version;
            if (changed) {
                refresh(came, OptionalLong.of(version));
            } else {
                confirm(before.snapshot(), now);
            }
            return changed;
        };
    }

    /** What is known was so at a later time, too. */
    private void confirm(Snapshot snapshot, long at) {
        changing.lock();
        try {
            if (known.at() != Long.MIN_VALUE && known.snapshot().version() == snapshot.version()) {
                known = new Known(known.snapshot(), at, known.ownPulled(), known.ownRetracting());
            }
        } finally {
            changing.unlock();
        }
    }

    /**
     * Fetches the register, unless that is not needed any more when it is this thread's turn. If the last fetch began after the thread came, and failed, the thread
     * fails as well: those who wait for a store that is slow to say that it is down would otherwise wait for each other, too.
     *
     * @param outdated a version that the register does not have any more, if that is known: versions of a register that answers later do not return
     */
    private Snapshot refresh(long came, BooleanSupplier needed, OptionalLong outdated) {
        refreshing.lock();
        try {
            if (needed.getAsBoolean()) {
                if (failed != null && failed.fetch() > came) {
                    throw failed.cause();
                }
                long fetch = begun.incrementAndGet();
                fetch(fetch, outdated);
                fetched = fetch;
            }
            return known.snapshot();
        } finally {
            refreshing.unlock();
        }
    }

    private void fetch(long number, OptionalLong outdated) {
        try {
            fetch(outdated);
            failed = null;
        } catch (Exception e) {
            failed = Failed.of(number, e);
            throw e;
        }
    }

    private void fetch(OptionalLong outdated) {
        long now = clock.millis();
        Known before = known;
        Map<String, Span> coveredPulled = new HashMap<>(before.ownPulled());
        Set<PostKey> coveredRetracting = new HashSet<>(before.ownRetracting());
        Snapshot snapshot = before.snapshot();
        if (before.at() == Long.MIN_VALUE
                || outdated.equals(OptionalLong.of(snapshot.version()))
                || register.version() != snapshot.version()) {
            snapshot = register.snapshot();
        }
        replace(snapshot, now, coveredPulled, coveredRetracting);
    }

    /** Makes a new snapshot known; own changes that came in while it was fetched stay over it. */
    private void replace(Snapshot snapshot, long at, Map<String, Span> coveredPulled, Set<PostKey> coveredRetracting) {
        changing.lock();
        try {
            Map<String, Span> ownPulled = new ConcurrentHashMap<>(known.ownPulled());
            coveredPulled.forEach(ownPulled::remove);
            Set<PostKey> ownRetracting = ConcurrentHashMap.newKeySet();
            ownRetracting.addAll(known.ownRetracting());
            ownRetracting.removeAll(coveredRetracting);
            known = new Known(snapshot, at, ownPulled, ownRetracting);
        } finally {
            changing.unlock();
        }
    }

    public boolean isPulled(String author) {
        return known.isPulled(author);
    }

    public void put(List<Post> unpushed) {
        register.put(unpushed);
        changing.lock();
        try {
            Known now = known;
            unpushed.forEach(post -> now.ownPulled().merge(post.author(), Span.of(post), Span::and));
        } finally {
            changing.unlock();
        }
        boundOwn();
    }

    public void deleted(PostKey key) {
        changing.lock();
        try {
            known.ownRetracting().add(key);
        } finally {
            changing.unlock();
        }
        boundOwn();
    }

    /** An engine that changes the register and never reads would keep all its changes. So it fetches the register now and then, which has them; not often, if that fails. */
    private void boundOwn() {
        int own = own(known);
        if (own <= MOST_OWN) {
            return;
        }
        long now = clock.millis();
        boolean failedLately =
                failedToBound != Long.MIN_VALUE && failedToBound <= now && now - failedToBound < BOUNDED_EVERY_MILLIS;
        try {
            if (!failedLately) {
                refresh();
            }
        } catch (Exception e) {
            Interrupts.keep(e);
            failedToBound = now;
        }
        if (own(known) >= 2 * MOST_OWN) {
            forgetOwn();
        }
    }

    private static int own(Known known) {
        return Math.max(known.ownPulled().size(), known.ownRetracting().size());
    }

    /** While the register cannot be fetched, nothing but memory is lost: before it is next gone by, it has to be. */
    private void forgetOwn() {
        changing.lock();
        try {
            known = new Known(
                    known.snapshot(), Long.MIN_VALUE, new ConcurrentHashMap<>(), ConcurrentHashMap.newKeySet());
        } finally {
            changing.unlock();
        }
    }

    private static Known unknown() {
        return new Known(Snapshot.EMPTY, Long.MIN_VALUE, new ConcurrentHashMap<>(), ConcurrentHashMap.newKeySet());
    }

    public boolean remove(String author, long version) {
        return register.remove(author, version);
    }

    public void retracted(List<PostKey> keys) {
        register.retracted(keys);
    }
}
