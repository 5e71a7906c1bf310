package io.feedkit.survival.live;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.live.LiveEvent;
import io.feedkit.live.LiveEvent.CatchUp;
import io.feedkit.live.LiveEvent.FeedChanged;
import io.feedkit.live.LiveEvent.PostAdded;
import io.feedkit.live.LiveEvent.PostDeleted;
import io.feedkit.survival.live.Client.Arrival;
import io.feedkit.survival.live.Client.Stretch;
import io.feedkit.survival.live.Ledger.Bounds;
import io.feedkit.survival.live.Ledger.Change;
import io.feedkit.survival.live.Ledger.Entry;
import io.feedkit.survival.live.Ledger.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Compares what a client received with the ledger:
 *
 * <ul>
 *   <li>every post that was published after the client began, is not deleted, and whose author the reader has followed
 *       since before, arrived;
 *   <li>no post arrived twice, on all subscriptions together;
 *   <li>no post arrived of an author whom the reader did not follow, and none after its delete had returned;
 *   <li>every delete of a post that had arrived, and every follow and unfollow, was reported, or the client was told to
 *       catch up, or it reconnected.
 * </ul>
 */
final class Verdict {

    private final Ledger ledger;
    private final Bounds bounds;
    private final long origin;

    /**
     * @param bounds how long the effect of a call may take
     * @param origin when the run began
     */
    Verdict(Ledger ledger, Bounds bounds, long origin) {
        this.ledger = ledger;
        this.bounds = bounds;
        this.origin = origin;
    }

    /** What the client lacks. Events may still be on their way. */
    List<String> missing(Client client) {
        List<String> missing = new ArrayList<>();
        missingPosts(client, missing);
        missingReports(client, missing);
        return missing;
    }

    /** What is wrong and cannot become right. */
    List<String> surplus(Client client) {
        List<String> wrong = new ArrayList<>();
        client.violations().forEach(each -> wrong.add(describe(client) + ": " + each));
        Map<PostKey, Arrival> shown = new HashMap<>();
        for (Stretch stretch : client.stretches()) {
            Set<PostKey> deleted = new HashSet<>();
            for (Arrival arrival : stretch.arrivals()) {
                if (arrival.event() instanceof PostAdded added) {
                    Post post = added.post();
                    Arrival before = shown.put(post.key(), arrival);
                    if (before != null) {
                        wrong.add(describe(client, stretch, arrival) + ": twice, first at " + millis(before.at()));
                    }
                    if (deleted.contains(post.key())) {
                        wrong.add(describe(client, stretch, arrival) + ": after its PostDeleted");
                    }
                    checkPost(client, stretch, arrival, post, wrong);
                } else if (arrival.event() instanceof PostDeleted gone) {
                    deleted.add(gone.key());
                    checkDeleted(client, stretch, arrival, gone.key(), wrong);
                }
            }
        }
        return wrong;
    }

    private void checkPost(Client client, Stretch stretch, Arrival arrival, Post post, List<String> wrong) {
        String engine = stretch.engine().name();
        Entry entry = ledger.find(post.key()).orElse(null);
        if (entry == null) {
            wrong.add(describe(client, stretch, arrival) + ": was never published");
            return;
        }
        entry.stored()
                .filter(stored -> !stored.equals(post))
                .ifPresent(stored -> wrong.add(describe(client, stretch, arrival) + ": was stored as " + stored));
        if (!ledger.mayFollow(client.reader(), post.author(), engine, arrival.at(), bounds)) {
            wrong.add(describe(client, stretch, arrival) + ": the author is not followed, "
                    + describe(ledger.changesOf(client.reader(), post.author())));
        }
        entry.delete()
                .filter(delete -> delete.isKnownAt(arrival.at(), engine, bounds))
                .ifPresent(delete ->
                        wrong.add(describe(client, stretch, arrival) + ": was deleted at " + describe(delete)));
    }

    private void checkDeleted(Client client, Stretch stretch, Arrival arrival, PostKey key, List<String> wrong) {
        boolean began = ledger.find(key)
                .flatMap(Entry::delete)
                .filter(delete -> delete.beganBy(arrival.at()))
                .isPresent();
        if (!began) {
            wrong.add(describe(client, stretch, arrival) + ": nobody deleted it");
        }
        if (!ledger.mayFollow(client.reader(), key.author(), stretch.engine().name(), arrival.at(), bounds)) {
            wrong.add(describe(client, stretch, arrival) + ": the author is not followed");
        }
    }

    private void missingPosts(Client client, List<String> missing) {
        Set<PostKey> shown = new HashSet<>();
        arrivals(client).forEach(arrival -> {
            if (arrival.event() instanceof PostAdded added) {
                shown.add(added.post().key());
            }
        });
        for (Entry entry : ledger.posts()) {
            long began = entry.publish().began();
            if (entry.stored().isPresent()
                    && entry.delete().isEmpty()
                    && began - client.start() > 0
                    && !shown.contains(entry.key())
                    && ledger.hasFollowedSince(client.reader(), entry.key().author(), began)) {
                missing.add(describe(client) + " lacks " + entry.key() + ", published " + describe(entry.publish()));
            }
        }
    }

    private void missingReports(Client client, List<String> missing) {
        List<Stretch> stretches = client.stretches();
        long begin = stretches.get(0).startedAt();
        long rereadAt = begin;
        Map<PostKey, Long> shown = new HashMap<>();
        Set<PostKey> reported = new HashSet<>();
        for (Stretch stretch : stretches) {
            rereadAt = stretch.startedAt();
            for (Arrival arrival : stretch.arrivals()) {
                LiveEvent event = arrival.event();
                if (event instanceof PostAdded added) {
                    shown.put(added.post().key(), arrival.at());
                } else if (event instanceof PostDeleted gone) {
                    reported.add(gone.key());
                } else if (event instanceof CatchUp || event instanceof FeedChanged) {
                    rereadAt = arrival.at();
                }
            }
        }
        for (PostKey key : shown.keySet()) {
            Span delete = ledger.find(key).flatMap(Entry::delete).orElse(null);
            if (delete != null
                    && !reported.contains(key)
                    && rereadAt - delete.began() < 0
                    && ledger.hasFollowedSince(client.reader(), key.author(), begin)) {
                missing.add(describe(client) + " was not told that " + key + " was deleted " + describe(delete)
                        + ", and last told to read its pages again at " + millis(rereadAt));
            }
        }
        long last = rereadAt;
        ledger.changedEdges(client.reader()).forEach((author, changes) -> {
            long unreported = changes.stream()
                    .filter(change -> last - change.span().began() < 0)
                    .count();
            // An even number leaves the feed as it was.
            if (unreported % 2 == 1) {
                missing.add(describe(client) + " was not told of a change of its feed, " + author + ": "
                        + describe(changes) + ", but last at " + millis(last));
            }
        });
    }

    private static List<Arrival> arrivals(Client client) {
        return client.stretches().stream()
                .flatMap(stretch -> stretch.arrivals().stream())
                .toList();
    }

    private String describe(Client client) {
        List<String> parts = new ArrayList<>();
        for (Stretch each : client.stretches()) {
            parts.add(each.engine().name() + " since " + millis(each.startedAt()));
        }
        return client.reader() + " (" + client.manner() + "; "
                + String.join(", ", parts.subList(Math.max(0, parts.size() - 4), parts.size())) + ")";
    }

    private String describe(Client client, Stretch stretch, Arrival arrival) {
        LiveEvent event = arrival.event();
        String what = event instanceof PostAdded added
                ? "PostAdded " + added.post()
                : event instanceof PostDeleted gone ? "PostDeleted " + gone.key() : event.toString();
        return client.reader() + " (" + client.manner() + ") on "
                + stretch.engine().name() + " since " + millis(stretch.startedAt()) + " got at " + millis(arrival.at())
                + " " + what;
    }

    private String describe(List<Change> changes) {
        List<String> parts = new ArrayList<>();
        changes.forEach(each -> parts.add((each.following() ? "followed " : "unfollowed ") + describe(each.span())));
        return String.join(", ", parts);
    }

    private String describe(Span span) {
        return "[" + millis(span.began()) + ", " + millis(span.returned()) + "] on " + span.engine();
    }

    private long millis(long time) {
        return TimeUnit.NANOSECONDS.toMillis(time - origin);
    }
}
