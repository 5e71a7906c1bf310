package io.feedkit.internal;

import io.feedkit.Post;
import io.feedkit.fanout.AuthorStatus;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FollowGraph.FollowCounts;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What policies ask about the authors of one batch; fetched for all of them when it is first asked for. Used by one thread. */
final class AuthorStatuses {

    private static final FollowCounts NONE = new FollowCounts(0, 0);

    private final Parts parts;
    private final Backlogs backlogs;
    private final List<Post> posts;
    private @Nullable Map<String, FollowCounts> counts;
    private boolean registerRefreshed;

    AuthorStatuses(Parts parts, Backlogs backlogs, List<Post> posts) {
        this.parts = parts;
        this.backlogs = backlogs;
        this.posts = posts;
    }

    AuthorStatus of(String author) {
        return new AuthorStatus() {
            @Override
            public String author() {
                return author;
            }

            @Override
            public long followers() {
                return counts().getOrDefault(author, NONE).followers();
            }

            @Override
            public FanoutMode currentMode() {
                if (!registerRefreshed) {
                    parts.register().refreshIfStale();
                    registerRefreshed = true;
                }
                return parts.register().isPulled(author) ? FanoutMode.PULL : FanoutMode.PUSH;
            }

            @Override
            public Duration backlogAge() {
                return backlogs.age();
            }
        };
    }

    private Map<String, FollowCounts> counts() {
        Map<String, FollowCounts> fetched = counts;
        if (fetched == null) {
            Set<String> authors = new HashSet<>();
            posts.forEach(post -> authors.add(post.author()));
            fetched = parts.graph().counts(authors);
            counts = fetched;
        }
        return fetched;
    }
}
