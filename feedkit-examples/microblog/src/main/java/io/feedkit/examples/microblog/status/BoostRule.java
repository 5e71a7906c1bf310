package io.feedkit.examples.microblog.status;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.examples.microblog.web.Snowflakes;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Leaves a boost out if the original, or an earlier boost of it, is of the reader's followees and at most a day older. This
 * depends only on follows and rows, and not on the page that is read. So pages neither repeat nor miss a post.
 */
@Component
public class BoostRule {

    private static final long DAY = Snowflakes.first(Duration.ofDays(1).toMillis());

    private final FeedEngine feed;
    private final StatusRows rows;

    BoostRule(FeedEngine feed, StatusRows rows) {
        this.feed = feed;
        this.rows = rows;
    }

    /** Loads the statuses of a page of a reader's feed. Boosts cost a query and a call for the follows. */
    public Map<Post, Status> load(String reader, List<Post> posts) {
        Map<Post, Status> found = new LinkedHashMap<>(rows.load(posts));
        Set<Long> repeats = repeats(reader, found.values());
        found.values().removeIf(status -> repeats.contains(status.id()));
        return found;
    }

    private Set<Long> repeats(String reader, Collection<Status> statuses) {
        List<Status> boosts = statuses.stream()
                .filter(status -> status.reblogOfId().isPresent())
                .toList();
        if (boosts.isEmpty()) {
            return Set.of();
        }
        List<Status> earlier = shownTo(
                reader,
                rows.withBoosts(
                        boosts.stream().map(BoostRule::original).collect(Collectors.toSet()),
                        boosts.stream().mapToLong(Status::id).min().orElseThrow() - DAY,
                        boosts.stream().mapToLong(Status::id).max().orElseThrow()));
        return boosts.stream()
                .filter(boost -> earlier.stream().anyMatch(each -> isRepeat(boost, each)))
                .map(Status::id)
                .collect(Collectors.toSet());
    }

    private List<Status> shownTo(String reader, List<Status> statuses) {
        Set<String> authors = statuses.stream().map(Status::author).collect(Collectors.toSet());
        Set<String> shown = new HashSet<>(feed.following(reader, authors));
        shown.add(reader);
        return statuses.stream()
                .filter(status -> shown.contains(status.author()))
                .toList();
    }

    private static boolean isRepeat(Status boost, Status earlier) {
        return original(boost) == original(earlier) && earlier.id() < boost.id() && earlier.id() >= boost.id() - DAY;
    }

    private static long original(Status status) {
        return status.reblogOfId().orElse(status.id());
    }
}
