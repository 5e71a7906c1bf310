package io.feedkit.internal.verify;

import static java.util.Comparator.comparing;

import io.feedkit.Post;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.inbox.InboxContents;
import io.feedkit.internal.inbox.InboxDifferences;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds inboxes that certainly have no differences, with a few calls for many readers: one for the inboxes, one for the
 * followees, and two for the posts of readers whose inboxes go about equally far back. The posts of an author are read
 * once for all of these readers. Inboxes of readers with very many followees, and of readers whose followees have very
 * many posts, are left to {@link InboxCheck}. Thread-safe.
 */
final class SoundInboxes {

    /** Readers with more followees are left out. */
    private static final int MOST_FOLLOWEES = 1000;

    /** How many authors the readers of a group follow, at most, counted for each reader. */
    private static final int MOST_AUTHORS = 5000;

    /** How many posts of each author are read at first. */
    private static final int FEW_POSTS = 50;

    /** How many posts are read, at most, of the authors who have more. Readers of further such authors are left out. */
    private static final int MOST_POSTS = 100_000;

    /** How many times as far as the first inbox of a group the others may go back. */
    private static final double FURTHER = 1.5;

    private final EngineSettings settings;
    private final InboxContents contents;
    private final Outbox outbox;
    private final FollowGraph graph;
    private final InboxConsistency consistency;

    SoundInboxes(
            EngineSettings settings,
            InboxContents contents,
            Outbox outbox,
            FollowGraph graph,
            InboxConsistency consistency) {
        this.settings = settings;
        this.contents = contents;
        this.outbox = outbox;
        this.graph = graph;
        this.consistency = consistency;
    }

    /** A live inbox without differences of its own, and the reader's followees. */
    private record Candidate(String reader, Slice slice, Set<String> followees) {
        Position floor() {
            return slice.floor();
        }
    }

    /** How an inbox differs. */
    private record Compared(String reader, InboxDifferences differences) {}

    /** Some of the readers: those whose inboxes need no further look. */
    Set<String> of(List<String> readers) {
        Set<String> sound = new HashSet<>();
        List<String> live = new ArrayList<>();
        List<Slice> slices = new ArrayList<>();
        List<Slice> found = contents.slices(readers);
        for (int i = 0; i < readers.size(); i++) {
            if (consistency.findings(readers.get(i), found.get(i), Look.NONE).isEmpty()) {
                if (found.get(i).state() == State.LIVE) {
                    live.add(readers.get(i));
                    slices.add(found.get(i));
                } else {
                    sound.add(readers.get(i));
                }
            }
        }
        groups(candidates(live, slices)).forEach(group -> sound.addAll(compare(group)));
        return sound;
    }

    private List<Candidate> candidates(List<String> readers, List<Slice> slices) {
        List<IdPage> pages = readers.isEmpty()
                ? List.of()
                : graph.followees(
                        readers, Math.min(MOST_FOLLOWEES, settings.followees().most()));
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < readers.size(); i++) {
            IdPage page = pages.get(i);
            if (!page.more() || page.ids().size() >= settings.followees().most()) {
                Set<String> followees = new HashSet<>(page.ids());
                if (settings.followees().ownPosts()) {
                    followees.add(readers.get(i));
                }
                candidates.add(new Candidate(readers.get(i), slices.get(i), followees));
            }
        }
        return candidates;
    }

    /** Readers whose inboxes go about equally far back, so that few posts are read in vain. */
    private List<List<Candidate>> groups(List<Candidate> candidates) {
        candidates.sort(comparing(Candidate::floor).reversed());
        long now = settings.now();
        List<List<Candidate>> groups = new ArrayList<>();
        double furthest = 0;
        int authors = 0;
        for (Candidate candidate : candidates) {
            long age = Math.max(1, now - candidate.floor().millis());
            authors += candidate.followees().size();
            if (groups.isEmpty() || age > furthest || authors > MOST_AUTHORS) {
                groups.add(new ArrayList<>());
                furthest = age * FURTHER;
                authors = candidate.followees().size();
            }
            groups.get(groups.size() - 1).add(candidate);
        }
        return groups;
    }

    private List<String> compare(List<Candidate> group) {
        Map<String, List<Post>> posts = posts(group);
        List<Compared> compared = new ArrayList<>();
        Set<String> authors = new HashSet<>();
        for (Candidate candidate : group) {
            if (posts.keySet().containsAll(candidate.followees())) {
                InboxDifferences differences = InboxDifferences.of(
                        newest(candidate, posts),
                        candidate.slice(),
                        candidate.followees(),
                        settings.inboxes().limits());
                if (differences.wrong().isEmpty() && differences.notFollowed().isEmpty()) {
                    compared.add(new Compared(candidate.reader(), differences));
                    differences.missing().forEach(post -> authors.add(post.author()));
                }
            }
        }
        RegisterState registered = RegisterState.of(outbox.pulled(), authors);
        return compared.stream()
                .filter(one -> one.differences().missing().stream().allMatch(registered::covers))
                .map(Compared::reader)
                .toList();
    }

    /** The newest posts of all followees, down to the lowest floor of the group; without authors of too many posts. */
    private Map<String, List<Post>> posts(List<Candidate> group) {
        Set<String> authors = new LinkedHashSet<>();
        group.forEach(candidate -> authors.addAll(candidate.followees()));
        PositionRange range = PositionRange.from(group.get(group.size() - 1).floor());
        int enough = InboxDifferences.enough(settings.inboxes().limits());
        int few = Math.min(FEW_POSTS, enough);
        Map<String, List<Post>> posts = newest(List.copyOf(authors), range, few);
        List<String> more = posts.entrySet().stream()
                .filter(entry -> entry.getValue().size() == few && few < enough)
                .map(Map.Entry::getKey)
                .toList();
        more.forEach(posts::remove);
        int readable = Math.max(1, MOST_POSTS / enough);
        posts.putAll(newest(more.subList(0, Math.min(more.size(), readable)), range, enough));
        return posts;
    }

    private Map<String, List<Post>> newest(List<String> authors, PositionRange range, int each) {
        Map<String, List<Post>> posts = new HashMap<>();
        List<List<Post>> found = authors.isEmpty() ? List.of() : outbox.newest(authors, range, each);
        for (int i = 0; i < authors.size(); i++) {
            posts.put(authors.get(i), found.get(i));
        }
        return posts;
    }

    /** What the inbox should hold. */
    private List<Post> newest(Candidate candidate, Map<String, List<Post>> posts) {
        List<Post> all = new ArrayList<>();
        for (String author : candidate.followees()) {
            for (Post post : posts.getOrDefault(author, List.of())) {
                if (candidate.floor().compareOf(post) < 0) {
                    break;
                }
                all.add(post);
            }
        }
        all.sort((one, other) -> Position.compare(other, one));
        int enough = InboxDifferences.enough(settings.inboxes().limits());
        return all.size() > enough ? all.subList(0, enough) : all;
    }
}
