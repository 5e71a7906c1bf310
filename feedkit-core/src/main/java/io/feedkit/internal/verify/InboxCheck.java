package io.feedkit.internal.verify;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.inbox.InboxContents;
import io.feedkit.internal.inbox.InboxDifferences;
import io.feedkit.internal.inbox.InboxReconciler;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Outbox;
import io.feedkit.verify.Finding;
import io.feedkit.verify.FindingKind;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Compares a reader's inbox with the outboxes, the follow graph and the pulled register. The register is read before
 * the inbox: a post that leaves the register was pushed before. A missing post counts only when the settled mark has
 * passed its append, because a worker may still deliver it before. Thread-safe.
 */
public final class InboxCheck implements Check<String> {

    private final InboxContents contents;
    private final Outbox outbox;
    private final FollowGraph graph;
    private final Optional<ArchiveCheck> archive;
    private final InboxReconciler reconciler;
    private final InboxConsistency consistency;
    private final SoundInboxes sound;

    public InboxCheck(
            EngineSettings settings,
            InboxContents contents,
            Outbox outbox,
            FollowGraph graph,
            Optional<ArchiveCheck> archive,
            InboxReconciler reconciler) {
        this.contents = contents;
        this.outbox = outbox;
        this.graph = graph;
        this.archive = archive;
        this.reconciler = reconciler;
        this.consistency = new InboxConsistency(settings);
        this.sound = new SoundInboxes(settings, contents, outbox, graph, consistency);
    }

    @Override
    public Look look(String reader, Look before) {
        if (before.appendedBy() > 0 && outbox.settledMark() <= before.appendedBy()) {
            return Look.UNSETTLED;
        }
        RegisterState register = RegisterState.of(outbox.pulled(), before.authors());
        Slice slice = contents.slice(reader);
        List<Finding> findings = consistency.findings(reader, slice, before);
        List<Post> missing = List.of();
        if (slice.state() == State.LIVE) {
            missing = compare(reader, slice, register, before, findings);
        }
        if (findings.isEmpty()) {
            return Look.of(findings);
        }
        long appendedBy = before.appendedBy() > 0 ? before.appendedBy() : appendedBy(missing);
        return new Look(findings, appendedBy, slice.epoch(), Look.Status.DECIDED)
                .ifUnchanged(isUnchanged(reader, slice));
    }

    @Override
    public Set<String> sound(List<String> readers) {
        return sound.of(readers);
    }

    /** Whether no follow, unfollow or rebuild came between. */
    private boolean isUnchanged(String reader, Slice slice) {
        Slice now = contents.state(reader);
        return now.epoch() == slice.epoch()
                && now.generation() == slice.generation()
                && now.state() == slice.state()
                && now.pending().equals(slice.pending());
    }

    /** Compares the entries with the outboxes. Returns the posts that are missing. */
    private List<Post> compare(
            String reader, Slice slice, RegisterState register, Look before, List<Finding> findings) {
        InboxDifferences found = contents.compare(reader, slice).differences().orElseThrow();
        Set<String> authors = authors(found.missing());
        authors.addAll(authors(found.wrong()));
        authors.removeAll(before.authors());
        RegisterState registered = register.and(RegisterState.of(outbox.pulled(), authors));
        List<Post> missing = found.missing().stream()
                .filter(post -> !registered.covers(post) && !slice.pending().contains(post.author()))
                .toList();
        missing.forEach(post -> findings.add(finding(FindingKind.POST_MISSING, reader, post)
                .sentence("Post " + post.id() + " of " + post.author() + " (" + post.publishedAt()
                        + ") is missing in the inbox of " + reader + ".")
                .build()));
        addWrong(reader, found.wrong(), registered, findings);
        addNotFollowed(reader, found.notFollowed(), findings);
        return missing;
    }

    private void addWrong(String reader, List<Post> wrong, RegisterState registered, List<Finding> findings) {
        Map<PostKey, Post> existing = wrong.isEmpty()
                ? Map.of()
                : outbox.existing(wrong.stream().map(Post::key).toList());
        Set<Post> lost = lost(wrong, existing);
        for (Post post : wrong) {
            Post stored = existing.get(post.key());
            if (lost.contains(post)) {
                findings.add(finding(FindingKind.ARCHIVED_POST_LOST, reader, post)
                        .sentence("The inbox of " + reader + " has post " + post.id() + " of " + post.author() + " ("
                                + post.publishedAt() + "), which the archive has lost.")
                        .build());
            } else if (stored == null && !registered.retracting().contains(post.key())) {
                findings.add(finding(FindingKind.POST_DELETED, reader, post)
                        .sentence("The inbox of " + reader + " has post " + post.id() + " of " + post.author()
                                + ", which does not exist any more.")
                        .build());
            } else if (stored != null && !stored.equals(post)) {
                findings.add(finding(FindingKind.POST_MISPLACED, reader, post)
                        .sentence("The inbox of " + reader + " has post " + post.id() + " of " + post.author() + " at "
                                + post.publishedAt() + ", but its time is " + stored.publishedAt() + ".")
                        .build());
            }
        }
    }

    /** The posts that the archive has lost. Tombstones are never removed: without one, a post was not deleted. */
    private Set<Post> lost(List<Post> wrong, Map<PostKey, Post> existing) {
        Set<Post> lost = wrong.stream()
                .filter(post -> !existing.containsKey(post.key()))
                .filter(post -> archive.filter(each -> each.mayHaveMoved(post)).isPresent())
                .collect(Collectors.toSet());
        if (!lost.isEmpty()) {
            Set<PostKey> deleted =
                    outbox.tombstones(lost.stream().map(Post::key).toList());
            lost.removeIf(post -> deleted.contains(post.key()));
        }
        return lost;
    }

    /** Beyond {@code maxFollowees}, an inbox may have posts of followees that the feed does not cover. */
    private void addNotFollowed(String reader, List<Post> posts, List<Finding> findings) {
        Set<String> followed = posts.isEmpty() ? Set.of() : graph.followed(reader, authors(posts));
        for (Post post : posts) {
            if (!followed.contains(post.author())) {
                findings.add(finding(FindingKind.POST_NOT_FOLLOWED, reader, post)
                        .sentence("The inbox of " + reader + " has post " + post.id() + " of " + post.author()
                                + ", whom the reader does not follow.")
                        .build());
            }
        }
    }

    static Finding.Builder finding(FindingKind kind, String reader, Post post) {
        return Finding.builder(kind).reader(reader).author(post.author()).post(post.id());
    }

    private static Set<String> authors(Collection<Post> posts) {
        return posts.stream().map(Post::author).collect(Collectors.toCollection(HashSet::new));
    }

    private long appendedBy(List<Post> missing) {
        return missing.isEmpty()
                ? 0
                : outbox.lastAppended(authors(missing)).values().stream()
                        .mapToLong(Long::longValue)
                        .max()
                        .orElse(0);
    }

    @Override
    public void repair(String reader, List<Finding> findings) {
        restoreArchived(reader, findings);
        reconciler.repair(reader, findings.stream().anyMatch(InboxCheck::isDisorder));
    }

    private void restoreArchived(String reader, List<Finding> findings) {
        Set<PostKey> lost = findings.stream()
                .filter(finding -> finding.kind() == FindingKind.ARCHIVED_POST_LOST)
                .map(finding -> new PostKey(
                        finding.author().orElseThrow(), finding.post().orElseThrow()))
                .collect(Collectors.toSet());
        if (!lost.isEmpty()) {
            List<Post> posts = contents.slice(reader).posts().stream()
                    .filter(post -> lost.contains(post.key()))
                    .toList();
            archive.ifPresent(each -> each.restore(posts));
        }
    }

    /** A refresh compares sets of entries, so it does not see that an entry is there twice, or out of order. */
    private static boolean isDisorder(Finding finding) {
        return finding.kind() == FindingKind.POST_TWICE || finding.kind() == FindingKind.POST_MISPLACED;
    }
}
