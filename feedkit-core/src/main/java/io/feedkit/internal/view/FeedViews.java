package io.feedkit.internal.view;

import static java.util.Objects.requireNonNull;

import io.feedkit.internal.cache.CallCount;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.inbox.InboxBreaker.Permit;
import io.feedkit.internal.inbox.LiveInboxes;
import io.feedkit.internal.transaction.HostChanges;
import io.feedkit.internal.view.InboxPart.Live;
import io.feedkit.internal.view.InboxPart.Unreachable;
import io.feedkit.internal.view.Walk.Freshness;
import io.feedkit.spi.Inbox.Count;
import io.feedkit.spi.Inbox.CountQuery;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Opens views of feeds. The order is the same for all: the reader's committed changes are applied, the register is
 * read, then the inbox, and then the followees of the inbox's follow epoch. A register that is due may be read while
 * the inbox is; then it must not have changed. If a followee's registration was not known
 * before the inbox was read, and an author has left the register since, the inbox is read again. Otherwise posts of
 * that author could be missing from both. Thread-safe.
 */
public final class FeedViews {

    /** How often a view reads the inbox while the followees change, without a slice that was read too early. */
    private static final int LOOKS = 3;

    private final LiveInboxes inboxes;
    private final RegisterCache register;
    private final FolloweeCache followees;
    private final SourceOfTruth source;
    private final HostChanges changes;
    private final Duration staleIfError;

    public FeedViews(
            EngineSettings settings,
            LiveInboxes inboxes,
            RegisterCache register,
            FolloweeCache followees,
            SourceOfTruth source,
            HostChanges changes) {
        this.inboxes = inboxes;
        this.register = register;
        this.followees = followees;
        this.source = source;
        this.changes = changes;
        this.staleIfError = settings.reading().staleIfError();
    }

    /**
     * Opens a walk, with the first posts of its inbox. A visit builds the inbox, or keeps it live.
     *
     * @param calls counts calls to the outboxes
     * @throws io.feedkit.StoreUnavailableException if the register or the followees have to be read and cannot be, or
     *     if neither the inbox nor the outboxes can be read
     */
    public FeedView open(Walk walk, int limit, CallCount calls) {
        SliceQuery query = query(walk, walk.range(), limit);
        if (!walk.isCached()) {
            changes.apply(List.of(walk.reader()));
            if (inboxes.sendQuestions() && (walk.freshness() == Freshness.LATEST || register.isStale())) {
                RegisterView before = register.known(followees.remembered(walk.reader()));
                if (before.isAboutAnybody()) {
                    return openAtOnce(walk, query, before, calls);
                }
            }
        }
        Looks looks = new Looks(walk, registered(walk), register.departures());
        return looks.opened(query, inboxes.slice(query));
    }

    /**
     * Opens a walk while the register is read. The slice counts only if the register has not changed since a view that
     * was there before the slice was read. Otherwise the inbox is read again, and in the same time the recent posts of
     * those authors who are pulled now.
     */
    private FeedView openAtOnce(Walk walk, SliceQuery query, RegisterView before, CallCount calls) {
        long departures = register.departures();
        AtomicReference<RegisterView> read = new AtomicReference<>(before);
        Optional<Slice> first = inboxes.slice(query, () -> read.set(registered(walk)));
        RegisterView now = requireNonNull(read.get());
        if (first.isEmpty() || register.isUnchangedSince(before)) {
            return new Looks(walk, now, departures).opened(query, first);
        }
        Looks looks = new Looks(walk, now, register.departures());
        return looks.opened(
                query,
                walk.beyondInbox() ? inboxes.slice(query) : inboxes.slice(query, () -> source.load(now, query, calls)));
    }

    private RegisterView registered(Walk walk) {
        FolloweeSet expected = followees.remembered(walk.reader());
        return switch (walk.freshness()) {
            case CURRENT -> source.watch(() -> register.current(expected));
            case LATEST -> source.watch(() -> register.latest(expected));
            case CACHED -> register.known(expected, staleIfError).orElseThrow(SourceOfTruth::isDown);
        };
    }

    /**
     * Opens a walk without asking the inbox, whose store has just failed to answer. The caller has a {@link #permit}.
     *
     * @throws io.feedkit.StoreUnavailableException if the outboxes cannot be read
     */
    public FeedView openWithoutInbox(Walk walk) {
        return new Looks(walk, registered(walk), register.departures()).withoutInbox(Optional.empty());
    }

    /** As {@link LiveInboxes#permit}, for feeds that are read one after the other. */
    public Permit permit() {
        return inboxes.permit();
    }

    /** Reads further posts of a walk's inbox. A walk that began without its inbox goes on without it. */
    public FeedView next(Walk walk, FeedView before, PositionRange rest, int limit) {
        if (before.inbox() instanceof Unreachable) {
            return before;
        }
        SliceQuery query = query(walk, rest, limit);
        return new Looks(walk, before).view(query, inboxes.slice(query));
    }

    private static SliceQuery query(Walk walk, PositionRange range, int limit) {
        return new SliceQuery(walk.reader(), range, walk.order(), limit, walk.visit());
    }

    /** The time of the register's last update. */
    public long registeredAt() {
        return register.updatedAt();
    }

    /** The inbox of one walk, and what was known before it was read. Used by one thread. */
    private final class Looks {

        private final Walk walk;
        private RegisterView registered;
        private FolloweeSet found;
        private long epoch;
        private long departures;

        Looks(Walk walk, FeedView before) {
            this.walk = walk;
            this.registered = before.register();
            this.found = before.followees();
            this.epoch = before.epoch();
            this.departures = register.departures();
        }

        /** Looks that begin. The departures are those of before the inbox is read. */
        Looks(Walk walk, RegisterView registered, long departures) {
            this.walk = walk;
            this.registered = registered;
            this.found = FolloweeSet.NOBODY;
            this.departures = departures;
        }

        /** The view with the first slice of a walk; a visit looks after the inbox. */
        FeedView opened(SliceQuery query, Optional<Slice> first) {
            return view(
                    query,
                    walk.visit()
                            ? first.flatMap(slice -> inboxes.visit(query, slice, walk.isFromTop(), this::followees))
                            : first);
        }

        FeedView view(SliceQuery query, Optional<Slice> first) {
            Optional<Slice> slice = first;
            for (int looks = 1; slice.isPresent(); looks++) {
                InboxPart inbox = InboxPart.of(slice.get());
                Set<String> authors = followees(slice.get()).authors();
                RegisterView known = knownBefore(registered, departures, authors);
                boolean areKnown = known.isAbout(authors);
                registered = areKnown ? known : update(authors);
                if (areKnown || !(inbox instanceof Live)) {
                    return new FeedView(registered, inbox, found);
                }
                if (looks == LOOKS) {
                    return new FeedView(registered, InboxPart.absent(slice.get()), found);
                }
                departures = register.departures();
                slice = inboxes.slice(query);
            }
            return withoutInbox();
        }

        private RegisterView update(Set<String> authors) {
            if (walk.isCached()) {
                RegisterView known = register.known(authors);
                if (known.isAbout(authors)) {
                    return known;
                }
                throw SourceOfTruth.isDown();
            }
            return source.watch(() -> register.current(authors));
        }

        /** A feed that is read from the outboxes, while the source of truth is protected from the crowd. */
        private FeedView withoutInbox() {
            if (walk.isCached()) {
                throw SourceOfTruth.isDown();
            }
            Permit permit = inboxes.permit();
            try {
                return withoutInbox(Optional.of(permit));
            } catch (Throwable e) {
                permit.close();
                throw e;
            }
        }

        private FeedView withoutInbox(Optional<Permit> permit) {
            FolloweeSet loaded = source.watch(() -> followees.load(walk.reader()));
            RegisterView known = registered.isAbout(loaded.authors()) ? registered : update(loaded.authors());
            return new FeedView(known, new Unreachable(), loaded, permit);
        }

        /** The reader's followees as of a slice. They are loaded once for a walk, unless they change meanwhile. */
        private FolloweeSet followees(Slice slice) {
            if (walk.isCached()) {
                found = followees.remembered(walk.reader(), slice).orElseThrow(SourceOfTruth::isDown);
            } else if (epoch == 0 || epoch != slice.epoch() || !slice.pending().isEmpty()) {
                found = source.watch(() -> followees.of(walk.reader(), slice));
                epoch = slice.pending().isEmpty() ? slice.epoch() : 0;
            }
            return found;
        }
    }

    /**
     * The registration of authors, if it was known before the inbox was read: by a view from before, or because nobody
     * has left the register since. Otherwise a view that is not about them.
     */
    private RegisterView knownBefore(RegisterView before, long departures, Set<String> authors) {
        if (before.isAbout(authors)) {
            return before;
        }
        RegisterView known = register.known(authors);
        return register.departures() == departures ? known : before;
    }

    /** What was known of a feed before its inbox was asked. */
    public record Expected(String reader, RegisterView register, FolloweeSet followees) {}

    /**
     * A feed, and what its inbox has answered.
     *
     * @param view the feed; without a live inbox, its register may be about other authors
     */
    public record Answer<A>(Expected expected, FeedView view, A answer) {

        public String reader() {
            return expected.reader();
        }
    }

    /**
     * The answers of many inboxes.
     *
     * @param all for each reader an answer, in any order; some are missing if the inbox store stopped answering
     * @param isDown whether the inbox store did not answer
     */
    public record Answers<A>(List<Answer<A>> all, boolean isDown) {}

    /**
     * Counts in the inboxes of many readers, together. Not a visit.
     *
     * @param meanwhile is done once, while the inboxes are asked
     */
    public Answers<Count> count(
            List<String> readers, Function<Expected, CountQuery> queries, Optional<Runnable> meanwhile) {
        Iterator<Runnable> once = meanwhile.stream().iterator();
        return ask(
                readers,
                queries,
                each -> once.hasNext() ? inboxes.counts(each, once.next()) : inboxes.counts(each),
                Count::inbox);
    }

    /** Whether something else can be done while inboxes are asked. */
    public boolean askMeanwhile() {
        return inboxes.sendQuestions();
    }

    /** Reads the inboxes of many readers, together. Not a visit. */
    public Answers<Slice> slices(List<String> readers, Function<Expected, SliceQuery> queries) {
        return ask(readers, queries, inboxes::slices, Function.identity());
    }

    private <Q, A> Answers<A> ask(
            List<String> readers,
            Function<Expected, Q> queries,
            Function<List<Q>, Optional<List<A>>> question,
            Function<A, Slice> slices) {
        changes.apply(readers);
        Map<String, FolloweeSet> expected = new HashMap<>();
        readers.forEach(reader -> expected.put(reader, followees.remembered(reader)));
        List<Answer<A>> answers = new ArrayList<>();
        List<String> left = readers;
        for (int looks = 1; !left.isEmpty(); looks++) {
            List<Expected> known = expected(left, expected);
            long departures = register.departures();
            Optional<List<A>> found = question.apply(known.stream().map(queries).toList());
            if (found.isEmpty()) {
                return new Answers<>(answers, true);
            }
            List<String> again = new ArrayList<>();
            for (int i = 0; i < left.size(); i++) {
                String reader = left.get(i);
                A answer = found.get().get(i);
                Slice slice = slices.apply(answer);
                InboxPart inbox = InboxPart.of(slice);
                FolloweeSet authors = followees.of(reader, slice);
                RegisterView registered = knownBefore(known.get(i).register(), departures, authors.authors());
                boolean isKnown = registered.isAbout(authors.authors());
                if (!isKnown && inbox instanceof Live && looks < LOOKS) {
                    expected.put(reader, authors);
                    again.add(reader);
                } else {
                    InboxPart usable = isKnown ? inbox : InboxPart.absent(slice);
                    answers.add(new Answer<>(known.get(i), new FeedView(registered, usable, authors), answer));
                }
            }
            left = again;
        }
        return new Answers<>(answers, false);
    }

    private List<Expected> expected(List<String> readers, Map<String, FolloweeSet> followees) {
        List<FolloweeSet> sets = readers.stream()
                .map(reader -> followees.getOrDefault(reader, FolloweeSet.NOBODY))
                .toList();
        List<RegisterView> views = register.current(sets);
        List<Expected> all = new ArrayList<>();
        for (int i = 0; i < readers.size(); i++) {
            all.add(new Expected(readers.get(i), views.get(i), sets.get(i)));
        }
        return all;
    }
}
