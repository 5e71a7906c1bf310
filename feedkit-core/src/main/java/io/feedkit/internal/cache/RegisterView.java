package io.feedkit.internal.cache;

import io.feedkit.Post;
import io.feedkit.internal.cache.PulledAuthors.Candidate;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The registration of some authors at one moment: in a page, that of before it reads the inbox. If an author had left
 * the register by then, the catch-up had ended, and inboxes hold the author's posts. If a deleted post had left it by
 * then, its retraction had ended, and no inbox holds the post. Authors and posts that leave later are still in the
 * view. Immutable.
 */
public final class RegisterView {

    static final RegisterView OF_NOBODY = new RegisterView(Set.of(), Registrations.NONE, -1);

    /** What was registered, of the authors of one view or of many. Immutable. */
    static final class Registrations {

        static final Registrations NONE = new Registrations(Map.of());

        private final Map<String, Registered> byAuthor;

        /** The authors with unpushed posts, from the newest; collected when first asked for. */
        private volatile @Nullable List<Candidate> newestFirst;

        Registrations(Map<String, Registered> byAuthor) {
            this.byAuthor = byAuthor;
        }

        private List<Candidate> newestFirst() {
            List<Candidate> known = newestFirst;
            if (known == null) {
                known = byAuthor.entrySet().stream()
                        .filter(each -> each.getValue().isPulled())
                        .map(each ->
                                new Candidate(each.getKey(), each.getValue().newest()))
                        .sorted(Comparator.comparing(Candidate::newest).reversed())
                        .toList();
                newestFirst = known;
            }
            return known;
        }
    }

    /** The ranges of the unpushed posts of some authors. Immutable. */
    public static final class Ranges {

        private final Map<String, PositionRange> byAuthor;
        private final boolean areExact;

        /** The ranges are the same for all positions from {@code from} to below {@code reached}. */
        private final Position from;

        private final Position reached;

        private Ranges(Map<String, Registered.Unpushed> unpushed, Position from) {
            Map<String, PositionRange> ranges = new HashMap<>();
            boolean exact = true;
            Position lowest = Position.HIGHEST;
            for (Map.Entry<String, Registered.Unpushed> each : unpushed.entrySet()) {
                PositionRange range = each.getValue().range();
                if (from.compareTo(range.below()) < 0) {
                    ranges.put(each.getKey(), range);
                    exact &= each.getValue().all();
                    lowest = Position.min(lowest, range.below());
                }
            }
            byAuthor = Map.copyOf(ranges);
            areExact = exact;
            this.from = from;
            reached = lowest;
        }

        private boolean areThoseAbove(Position position) {
            return from.compareTo(position) <= 0 && position.compareTo(reached) < 0;
        }

        /** The ranges. */
        public Map<String, PositionRange> byAuthor() {
            return byAuthor;
        }

        /** Whether the ranges hold only unpushed posts. */
        public boolean areExact() {
            return areExact;
        }

        public boolean contain(Post post) {
            PositionRange range = byAuthor.get(post.author());
            return range != null && range.contains(post);
        }
    }

    private final Set<String> about;
    private final Registrations registrations;
    private final long change;

    /** The ranges that were last asked for; a reader's mark seldom changes. */
    private volatile @Nullable Ranges ranges;

    /**
     * Creates a view.
     *
     * @param about the authors
     * @param registrations the registrations of these authors, and perhaps of others
     * @param change the number of the last change, of any author, that the cache knew before this view was taken
     */
    RegisterView(Set<String> about, Registrations registrations, long change) {
        this.about = about;
        this.change = change;
        this.registrations = registrations;
    }

    /** The registration of authors, each as in a view that is about the author. */
    public static RegisterView of(List<String> authors, Map<String, RegisterView> views) {
        Map<String, Registered> registered = new HashMap<>();
        for (String author : authors) {
            registered.put(author, views.getOrDefault(author, OF_NOBODY).of(author));
        }
        return new RegisterView(Set.copyOf(authors), new Registrations(registered), -1);
    }

    long change() {
        return change;
    }

    public boolean isAboutAnybody() {
        return !about.isEmpty();
    }

    /** Whether this view is about all these authors. */
    public boolean isAbout(Set<String> authors) {
        return about == authors || about.containsAll(authors);
    }

    /** Whether this view is about an author. */
    public boolean isAbout(String author) {
        return about.contains(author);
    }

    /** The registrations of those of the authors who have one. */
    public Map<String, Registered> registered() {
        Map<String, Registered> found = new HashMap<>(registrations.byAuthor);
        found.keySet().retainAll(about);
        return found;
    }

    private Registered of(String author) {
        return registrations.byAuthor.getOrDefault(author, Registered.NOTHING);
    }

    public boolean isPulled(String author) {
        return of(author).isPulled();
    }

    /** Whether a post was deleted, and inboxes may still hold it. */
    public boolean isRetracting(Post post) {
        return !registrations.byAuthor.isEmpty()
                && of(post.author()).retracting().contains(post.id());
    }

    /** Whether inboxes may still hold deleted posts of these authors. */
    public boolean isRetractingAnyOf(Set<String> authors) {
        return registrations.byAuthor.entrySet().stream()
                .anyMatch(each -> !each.getValue().retracting().isEmpty() && authors.contains(each.getKey()));
    }

    /**
     * The ranges of the unpushed posts of given authors; authors without unpushed posts are left out. Iterates over the
     * smaller set: these authors, or all registered ones.
     */
    Map<String, Registered.Unpushed> unpushed(Set<String> authors) {
        Map<String, Registered.Unpushed> found = new HashMap<>();
        Consumer<String> add = author -> of(author).unpushed().ifPresent(unpushed -> found.put(author, unpushed));
        if (registrations.byAuthor.size() < authors.size()) {
            registrations.byAuthor.keySet().stream().filter(authors::contains).forEach(add);
        } else {
            authors.forEach(add);
        }
        return found;
    }

    /** The ranges of the unpushed posts of given authors, of those that reach above a position. */
    public Ranges unpushed(Set<String> authors, Position from) {
        Ranges last = ranges;
        if (authors == about && last != null && last.areThoseAbove(from)) {
            return last;
        }
        Ranges found = new Ranges(unpushed(authors), from);
        if (authors == about) {
            ranges = found;
        }
        return found;
    }

    /** As {@link Registered#isUnpushed}. */
    public boolean isUnpushed(Post post) {
        return of(post.author()).isUnpushed(post);
    }

    /** The stamp of an author's known unpushed posts. */
    Registered.Stamp stamp(String author) {
        return of(author).stamp();
    }

    /** The authors whose unpushed posts may be among the next posts of a walk. */
    public PulledAuthors pulled(Predicate<String> authors, PositionRange range, Order order, int limit) {
        return PulledAuthors.of(registrations.newestFirst(), authors, range, order, limit);
    }
}
