package io.feedkit.internal.verify;

import static io.feedkit.internal.verify.InboxCheck.finding;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Position;
import io.feedkit.verify.Finding;
import io.feedkit.verify.FindingKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds what is wrong with an inbox in itself, without the source of truth. Thread-safe. */
final class InboxConsistency {

    private final EngineSettings settings;

    InboxConsistency(EngineSettings settings) {
        this.settings = settings;
    }

    List<Finding> findings(String reader, Slice slice, Look before) {
        List<Finding> findings = new ArrayList<>();
        addUnfinishedFollows(reader, slice, before, findings);
        if (slice.state() == State.LIVE) {
            addMark(reader, slice, findings);
            addDisorder(reader, slice.posts(), findings);
        }
        return findings;
    }

    /** A follow that is begun anew has another epoch, so it is not the one that the first look saw. */
    private static void addUnfinishedFollows(String reader, Slice slice, Look before, List<Finding> findings) {
        if (!before.findings().isEmpty() && before.epoch() != slice.epoch()) {
            return;
        }
        for (String author : slice.pending()) {
            findings.add(Finding.builder(FindingKind.FOLLOW_UNFINISHED)
                    .reader(reader)
                    .author(author)
                    .sentence("A follow or unfollow of author " + author + " by reader " + reader
                            + " has begun and does not finish.")
                    .build());
        }
    }

    private void addMark(String reader, Slice slice, List<Finding> findings) {
        if (slice.mark()
                > settings.now() + settings.publishing().maxFutureSkew().toMillis()) {
            findings.add(Finding.builder(FindingKind.INBOX_MARK_AHEAD)
                    .reader(reader)
                    .sentence("The inbox of " + reader + " was last compared at " + Instant.ofEpochMilli(slice.mark())
                            + ", which is in the future.")
                    .build());
        }
    }

    /** Finds entries that occur twice, and entries that do not follow the order. */
    private static void addDisorder(String reader, List<Post> posts, List<Finding> findings) {
        Set<PostKey> seen = new HashSet<>();
        Post before = null;
        for (Post post : posts) {
            if (!seen.add(post.key())) {
                findings.add(finding(FindingKind.POST_TWICE, reader, post)
                        .sentence("The inbox of " + reader + " has post " + post.id() + " of " + post.author()
                                + " more than once.")
                        .build());
            } else if (before != null && Position.compare(before, post) < 0) {
                findings.add(finding(FindingKind.POST_MISPLACED, reader, post)
                        .sentence("The inbox of " + reader + " has post " + post.id() + " of " + post.author()
                                + " below an older post.")
                        .build());
            }
            before = post;
        }
    }
}
