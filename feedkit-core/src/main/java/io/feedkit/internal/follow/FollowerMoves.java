package io.feedkit.internal.follow;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.collect.NewestPosts;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.inbox.CheckedInserts;
import io.feedkit.internal.inbox.Follows;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Merge;
import io.feedkit.spi.Inbox.PendingChange;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.spi.WritableFollowGraph.Redirection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Moves the followers of one author to another, in batches. A batch takes the steps of {@link Follows} for all its
 * readers together: pending follows of both authors, edges, inboxes, end of the pending follows. Readers for whom
 * another call came between are finished one by one.
 *
 * <p>A reader without inbox, epoch and pending follows needs no pending follow: no engine has cached the reader's
 * followees, and an inbox that is opened after the edge changed is built for the new followees. If an inbox was opened
 * meanwhile, the reader is finished like the others. If the process dies before that, the inbox's checksum of followees
 * starts a refresh. Thread-safe.
 */
public final class FollowerMoves {

    private static final String OPERATION = "moveFollowers";

    /** How many readers are handled together. Their inboxes take no deliveries while one transaction locks them. */
    private static final int AT_ONCE = 250;

    private final EngineSettings settings;
    private final Inbox inbox;
    private final Outbox outbox;
    private final CheckedInserts inserts;
    private final Follows follows;

    public FollowerMoves(EngineSettings settings, Inbox inbox, Outbox outbox, CheckedInserts inserts, Follows follows) {
        this.settings = settings;
        this.inbox = inbox;
        this.outbox = outbox;
        this.inserts = inserts;
        this.follows = follows;
    }

    /** Moves all followers, and returns how many followed {@code from}. */
    public long move(WritableFollowGraph graph, String from, String to) {
        return new Move(graph, from, to).run();
    }

    /** One call. */
    private final class Move {

        private final WritableFollowGraph graph;
        private final String from;
        private final String to;
        private final List<String> both;
        private boolean written;
        private long moved;

        Move(WritableFollowGraph graph, String from, String to) {
            this.graph = graph;
            this.from = from;
            this.to = to;
            this.both = List.of(from, to);
        }

        long run() {
            String after = "";
            boolean more = true;
            try {
                while (more) {
                    IdPage page = graph.followers(List.of(new FollowerQuery(from, KeyRange.ALL, after, AT_ONCE)))
                            .get(0);
                    move(page.ids());
                    more = page.more();
                    after = more ? page.ids().get(page.ids().size() - 1) : after;
                }
            } catch (StoreUnavailableException e) {
                throw written ? new OutcomeUnknownException(OPERATION, e) : e;
            }
            return moved;
        }

        private void move(List<String> followers) {
            List<String> readers =
                    followers.stream().filter(reader -> !reader.equals(to)).toList();
            if (readers.size() < followers.size()) {
                moved += follows.unfollow(to, List.of(from), some -> graph.remove(edges(List.of(to)))).stream()
                        .filter(removed -> removed)
                        .count();
                written = true;
            }
            if (!readers.isEmpty()) {
                moveOthers(readers);
            }
        }

        private void moveOthers(List<String> readers) {
            List<String> known = new ArrayList<>();
            List<String> unknown = new ArrayList<>();
            List<Slice> slices = slices(readers);
            for (int i = 0; i < readers.size(); i++) {
                (isKnown(slices.get(i)) ? known : unknown).add(readers.get(i));
            }
            List<Long> tokens = known.isEmpty() ? List.of() : inbox.beginFollow(known, both);
            List<String> all = new ArrayList<>(known);
            all.addAll(unknown);
            List<Redirection> redirections = graph.redirect(edges(all), to);
            written = true;
            agree(known, tokens, redirections);
            finish(nowKnown(unknown));
            for (int i = 0; i < all.size(); i++) {
                report(all.get(i), redirections.get(i));
            }
        }

        /** Readers without an inbox who have got one meanwhile, perhaps for their followees before. */
        private List<String> nowKnown(List<String> unknown) {
            List<String> known = new ArrayList<>();
            List<Slice> slices = slices(unknown);
            for (int i = 0; i < unknown.size(); i++) {
                if (isKnown(slices.get(i))) {
                    known.add(unknown.get(i));
                }
            }
            return known;
        }

        private void agree(List<String> readers, List<Long> tokens, List<Redirection> redirections) {
            List<String> overtaken = new ArrayList<>();
            List<PendingChange> changes = new ArrayList<>();
            for (int i = 0; i < readers.size(); i++) {
                Redirection redirection = redirections.get(i);
                if (redirection == Redirection.ABSENT) {
                    overtaken.add(readers.get(i));
                } else {
                    long toggled = FolloweeSet.checksum(redirection == Redirection.MOVED ? both : List.of(from));
                    changes.add(new PendingChange(readers.get(i), both, tokens.get(i), toggled));
                }
            }
            if (!changes.isEmpty()) {
                inbox.purge(changes);
                Set<String> replaced = backfill(changes);
                overtaken.addAll(replaced);
                changes.removeIf(change -> replaced.contains(change.reader()));
                overtaken.addAll(end(changes));
            }
            finish(overtaken);
        }

        /**
         * Inserts the posts of {@code to} as {@link Follows} does, for all readers together. The posts are collected
         * once, down to the lowest floor. Returns the readers whose inbox was replaced meanwhile.
         */
        private Set<String> backfill(List<PendingChange> changes) {
            List<Slice> slices =
                    slices(changes.stream().map(PendingChange::reader).toList());
            Position lowest = slices.stream()
                    .filter(slice -> slice.state() != State.ABSENT)
                    .map(Move::floor)
                    .min(Position::compareTo)
                    .orElse(Position.HIGHEST);
            Set<String> replaced = new HashSet<>();
            if (lowest.equals(Position.HIGHEST)) {
                return replaced;
            }
            int enough = settings.inboxes().limits().stored() + 1;
            NewestPosts newest = NewestPosts.collect(outbox, List.of(to), lowest, enough);
            List<Merge> merges = new ArrayList<>();
            for (int i = 0; i < slices.size(); i++) {
                if (slices.get(i).state() != State.ABSENT) {
                    merges.add(merge(changes.get(i).reader(), slices.get(i), newest));
                }
            }
            merges.removeIf(merge -> merge.posts().isEmpty() && merge.floor().equals(Position.LOWEST));
            List<Boolean> merged = merges.isEmpty() ? List.of() : inserts.merge(merges);
            for (int i = 0; i < merges.size(); i++) {
                if (!merged.get(i)) {
                    replaced.add(merges.get(i).reader());
                }
            }
            return replaced;
        }

        private static Merge merge(String reader, Slice slice, NewestPosts newest) {
            Position floor = Position.max(floor(slice), newest.floor());
            List<Post> posts = newest.posts().stream()
                    .filter(post -> floor.compareOf(post) >= 0)
                    .toList();
            return new Merge(reader, slice.generation(), posts, floor);
        }

        private static Position floor(Slice slice) {
            return slice.state() == State.LIVE ? slice.floor() : Position.LOWEST;
        }

        /** Returns the readers for whom another follow or unfollow of one of the authors came between. */
        private List<String> end(List<PendingChange> changes) {
            List<String> overtaken = new ArrayList<>();
            List<Set<String>> refused = changes.isEmpty() ? List.of() : inbox.endFollow(changes);
            for (int i = 0; i < changes.size(); i++) {
                if (!refused.get(i).isEmpty()) {
                    overtaken.add(changes.get(i).reader());
                }
            }
            return overtaken;
        }

        private void finish(List<String> readers) {
            readers.forEach(reader -> follows.finish(reader, both));
        }

        private void report(String reader, Redirection redirection) {
            if (redirection != Redirection.ABSENT) {
                moved++;
                follows.report(reader, Set.of(from), false);
            }
            if (redirection == Redirection.MOVED) {
                follows.report(reader, Set.of(to), true);
            }
        }

        private List<Edge> edges(List<String> readers) {
            return readers.stream().map(reader -> new Edge(reader, from)).toList();
        }

        private List<Slice> slices(List<String> readers) {
            return readers.isEmpty()
                    ? List.of()
                    : inbox.slice(readers.stream()
                            .map(reader -> new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 1, false))
                            .toList());
        }

        /** Whether an engine may have cached the reader's followees, or made an inbox for them. */
        private static boolean isKnown(Slice slice) {
            return slice.state() != State.ABSENT
                    || slice.epoch() != 0
                    || !slice.pending().isEmpty();
        }
    }
}
