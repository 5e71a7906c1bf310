package io.feedkit.internal.verify;

import io.feedkit.Post;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.verify.Finding;
import io.feedkit.verify.FindingKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares an author's entry in the pulled register with the outbox and the inboxes of some followers. An author whose
 * newest post is in none of several inboxes was not pushed, and must be registered. If there is only one such inbox, it
 * may have lost the post; {@link InboxCheck} finds that. Thread-safe.
 */
final class RegisterCheck implements Check<String> {

    /** How many followers are asked for an inbox. */
    private static final int FOLLOWERS = 20;

    /** How many inboxes must lack a post. */
    private static final int INBOXES = 2;

    /** How many of the newest posts are registered by a repair. */
    private static final int REGISTERED_POSTS = 100;

    private final EngineSettings settings;
    private final Outbox outbox;
    private final Inbox inbox;
    private final FollowGraph graph;
    private final FolloweeCache followeeCache;

    RegisterCheck(EngineSettings settings, Outbox outbox, Inbox inbox, FollowGraph graph, FolloweeCache followeeCache) {
        this.settings = settings;
        this.outbox = outbox;
        this.inbox = inbox;
        this.graph = graph;
        this.followeeCache = followeeCache;
    }

    @Override
    public Look look(String author, Look before) {
        if (before.appendedBy() > 0 && outbox.settledMark() <= before.appendedBy()) {
            return Look.UNSETTLED;
        }
        Entry entry = entry(author);
        if (entry != null) {
            return isInVain(author, entry) ? inVain(author, entry) : Look.NONE;
        }
        List<Post> newest = newest(author, PositionRange.ALL, 1);
        return newest.isEmpty() || !isInNoInbox(newest.get(0)) ? Look.NONE : notRegistered(newest.get(0));
    }

    /** Authors without an entry are looked at together. As in a look, the register is read before the inboxes. */
    @Override
    public Set<String> sound(List<String> authors) {
        if (settings.followees().most() != Integer.MAX_VALUE) {
            return Set.of();
        }
        Map<String, Entry> entries = RegisterState.of(outbox.pulled(), authors).entries();
        List<String> others =
                authors.stream().filter(author -> !entries.containsKey(author)).toList();
        List<List<Post>> newest = others.isEmpty() ? List.of() : outbox.newest(others, PositionRange.ALL, 1);
        Set<String> sound = new HashSet<>();
        List<Post> posts = new ArrayList<>();
        for (int i = 0; i < others.size(); i++) {
            if (newest.get(i).isEmpty()) {
                sound.add(others.get(i));
            } else {
                posts.add(newest.get(i).get(0));
            }
        }
        if (!posts.isEmpty()) {
            sound.addAll(inSomeInbox(posts));
        }
        return sound;
    }

    /** The authors of those posts that an inbox has, or that have too few inboxes to tell. */
    private List<String> inSomeInbox(List<Post> posts) {
        List<IdPage> followers = graph.followers(posts.stream()
                .map(post -> new FollowerQuery(post.author(), KeyRange.ALL, "", FOLLOWERS))
                .toList());
        List<SliceQuery> queries = new ArrayList<>();
        for (int i = 0; i < posts.size(); i++) {
            Position place = Position.of(posts.get(i));
            followers.get(i).ids().forEach(reader -> queries.add(query(reader, place)));
        }
        List<Slice> slices = queries.isEmpty() ? List.of() : inbox.slice(queries);
        List<String> found = new ArrayList<>();
        int next = 0;
        for (int i = 0; i < posts.size(); i++) {
            int end = next + followers.get(i).ids().size();
            if (!isInNone(posts.get(i), slices.subList(next, end))) {
                found.add(posts.get(i).author());
            }
            next = end;
        }
        return found;
    }

    private static SliceQuery query(String reader, Position place) {
        return new SliceQuery(reader, new PositionRange(place, place.next()), Order.NEWEST_FIRST, 1, false);
    }

    private @Nullable Entry entry(String author) {
        return RegisterState.of(outbox.pulled(), List.of(author)).entries().get(author);
    }

    private List<Post> newest(String author, PositionRange range, int limit) {
        return outbox.newest(List.of(author), range, limit).get(0);
    }

    /** With own posts, the author's own inbox may need the entry. */
    private boolean isInVain(String author, Entry entry) {
        return newest(author, new PositionRange(entry.oldest(), entry.newest().next()), 1)
                        .isEmpty()
                || (!settings.followees().ownPosts() && followers(author, 1).isEmpty());
    }

    private List<String> followers(String author, int limit) {
        return graph.followers(List.of(new FollowerQuery(author, KeyRange.ALL, "", limit)))
                .get(0)
                .ids();
    }

    private static Look inVain(String author, Entry entry) {
        return Look.of(List.of(Finding.builder(FindingKind.AUTHOR_REGISTERED_IN_VAIN)
                .author(author)
                .sentence("Author " + author + " is registered from "
                        + entry.oldest().millis() + " to " + entry.newest().millis()
                        + ", but has no followers, or no post there.")
                .build()));
    }

    /** The register was read before the inboxes: an author who leaves it was pushed before. */
    private boolean isInNoInbox(Post post) {
        List<String> readers = followers(post.author(), FOLLOWERS).stream()
                .filter(reader -> isCovered(reader, post.author()))
                .toList();
        if (readers.size() < INBOXES) {
            return false;
        }
        Position place = Position.of(post);
        return isInNone(
                post,
                inbox.slice(readers.stream().map(reader -> query(reader, place)).toList()));
    }

    private static boolean isInNone(Post post, List<Slice> slices) {
        List<Slice> able = slices.stream()
                .filter(slice -> slice.state() == State.LIVE
                        && slice.floor().compareOf(post) >= 0
                        && !slice.pending().contains(post.author()))
                .toList();
        return able.size() >= INBOXES
                && able.stream().allMatch(slice -> slice.posts().isEmpty());
    }

    /** Whether the reader's feed covers the author, who may be beyond {@code maxFollowees}. */
    private boolean isCovered(String reader, String author) {
        return settings.followees().most() == Integer.MAX_VALUE
                || followeeCache.load(reader).authors().contains(author);
    }

    private Look notRegistered(Post post) {
        long appendedBy = outbox.lastAppended(List.of(post.author())).getOrDefault(post.author(), 0L);
        Finding finding = Finding.builder(FindingKind.AUTHOR_NOT_REGISTERED)
                .author(post.author())
                .post(post.id())
                .sentence("Post " + post.id() + " of " + post.author()
                        + " was not pushed, but its author is not in the pulled register.")
                .build();
        return new Look(List.of(finding), appendedBy, 0, Look.Status.DECIDED);
    }

    @Override
    public void repair(String author, List<Finding> findings) {
        Map<String, Entry> entries =
                RegisterState.of(outbox.pulled(), List.of(author)).entries();
        Entry entry = entries.get(author);
        if (entry == null) {
            outbox.pulled().put(newest(author, PositionRange.ALL, REGISTERED_POSTS));
        } else if (isInVain(author, entry)) {
            boolean unused = outbox.pulled().remove(author, entry.version());
        }
    }
}
