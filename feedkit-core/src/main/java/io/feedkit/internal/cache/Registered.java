package io.feedkit.internal.cache;

import io.feedkit.Post;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister.Entry;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An engine's knowledge of one author's registration: the state in the register, and this engine's own changes since.
 * Immutable.
 *
 * @param entry the author's entry in the register, if there is one
 * @param own the range from the oldest to the newest post that this engine entered since, if there are any
 * @param stamp the stamp of the author's known unpushed posts
 * @param retracting the ids of deleted posts that inboxes may still hold
 */
public record Registered(@Nullable Entry entry, @Nullable Span own, Stamp stamp, Set<String> retracting) {

    static final Registered NOTHING = new Registered(null, null, Stamp.NONE, Set.of());

    /** The range from the oldest to the newest of some posts. */
    record Span(Position oldest, Position newest) {

        static Span of(Post post) {
            return new Span(Position.of(post), Position.of(post));
        }

        Span and(Span other) {
            return new Span(Position.min(oldest, other.oldest), Position.max(newest, other.newest));
        }

        boolean contains(Post post) {
            return oldest.compareOf(post) >= 0 && newest.compareOf(post) <= 0;
        }
    }

    /**
     * Identifies which of an author's unpushed posts are known: a different stamp means different posts.
     *
     * @param version the version of the entry in the register, or {@code 0}
     * @param ownChange the number of this engine's last change that no update has included yet, or {@code 0}
     */
    public record Stamp(long version, long ownChange) {
        static final Stamp NONE = new Stamp(0, 0);
    }

    /**
     * The range of unpushed posts.
     *
     * @param range the range from the oldest to the newest
     * @param all whether all posts of the range are unpushed; false if there is a gap between the posts that this
     *     engine entered and the register's
     */
    public record Unpushed(PositionRange range, boolean all) {}

    boolean isNothing() {
        return entry == null && own == null && retracting.isEmpty();
    }

    public boolean isPulled() {
        return entry != null || own != null;
    }

    /**
     * Whether a post is among the author's unpushed posts, which readers find in the outbox. The author's other posts
     * arrive by their own pushes. If a page showed such a post before its push, the post would vanish when the author
     * leaves the register, until its push is done.
     */
    public boolean isUnpushed(Post post) {
        boolean entered = entry != null
                && entry.oldest().compareOf(post) >= 0
                && entry.newest().compareOf(post) <= 0;
        return entered || (own != null && own.contains(post));
    }

    /** The range of the unpushed posts; empty if there are none. */
    public Optional<Unpushed> unpushed() {
        if (entry == null && own == null) {
            return Optional.empty();
        }
        Span known = entry == null ? null : new Span(entry.oldest(), entry.newest());
        Span hull = known == null ? own : own == null ? known : known.and(own);
        if (hull == null) {
            return Optional.empty();
        }
        boolean all = known == null
                || own == null
                || (own.oldest().compareTo(known.newest()) <= 0
                        && known.oldest().compareTo(own.newest()) <= 0);
        return Optional.of(
                new Unpushed(new PositionRange(hull.oldest(), hull.newest().next()), all));
    }

    /** The position of the newest unpushed post, or a position above it. */
    Position newest() {
        Position entered = entry == null ? Position.LOWEST : entry.newest();
        return own == null ? entered : Position.max(entered, own.newest());
    }

    /** Whether posts of the known entry are not in a later one: they have left the register. */
    boolean hasMoreThan(Entry later) {
        return entry != null
                && (entry.oldest().compareTo(later.oldest()) < 0
                        || entry.newest().compareTo(later.newest()) > 0);
    }

    Registered withEntry(@Nullable Entry other) {
        return new Registered(other, null, other == null ? Stamp.NONE : new Stamp(other.version(), 0), retracting);
    }

    Registered withRetracting(Collection<String> ids) {
        return new Registered(entry, own, stamp, union(retracting, ids));
    }

    Registered withoutRetracting(Collection<String> ids) {
        Set<String> fewer = new HashSet<>(retracting);
        fewer.removeAll(ids);
        return new Registered(entry, own, stamp, Set.copyOf(fewer));
    }

    private static Set<String> union(Set<String> some, Collection<String> others) {
        Set<String> all = new HashSet<>(some);
        all.addAll(others);
        return Set.copyOf(all);
    }

    /** This registration, with this engine's changes since. */
    Registered with(@Nullable OwnChange change) {
        if (change == null) {
            return this;
        }
        Set<String> all = change.deleted().isEmpty()
                ? retracting
                : retracting.isEmpty() ? change.deleted() : union(retracting, change.deleted());
        long ownChange = change.entered() == null ? 0 : change.number();
        return new Registered(entry, change.entered(), new Stamp(stamp.version(), ownChange), all);
    }

    /**
     * This engine's changes of an author's registration that no update has included yet.
     *
     * @param entered the range from the oldest to the newest post that this engine entered, if any
     * @param deleted the ids of posts that this engine deleted
     * @param number the number of the last of these changes
     */
    record OwnChange(@Nullable Span entered, Set<String> deleted, long number) {

        static final OwnChange NONE = new OwnChange(null, Set.of(), 0);

        OwnChange and(OwnChange later) {
            Span both = entered == null ? later.entered : later.entered == null ? entered : entered.and(later.entered);
            return new OwnChange(both, union(deleted, later.deleted), later.number);
        }

        OwnChange andEntered(Span span, long newNumber) {
            return new OwnChange(entered == null ? span : entered.and(span), deleted, newNumber);
        }

        OwnChange andDeleted(Collection<String> ids, long newNumber) {
            return new OwnChange(entered, union(deleted, ids), newNumber);
        }
    }
}
