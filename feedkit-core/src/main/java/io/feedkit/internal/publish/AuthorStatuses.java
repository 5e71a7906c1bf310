package io.feedkit.internal.publish;

import io.feedkit.FollowCounts;
import io.feedkit.fanout.AuthorStatus;
import io.feedkit.fanout.FanoutMode;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The facts about the authors of one batch that policies may ask for. Each fact is fetched for all authors of the batch
 * when it is first needed. Used by one thread.
 */
final class AuthorStatuses {

    /** The source of these facts. */
    interface Source {

        /** How many followers users have. */
        Map<String, FollowCounts> counts(Collection<String> users);

        /** Which authors are in the pulled register. */
        Predicate<String> pulled(Set<String> authors);

        /** How old the backlog is. */
        Duration backlogAge();
    }

    private static final FollowCounts NONE = new FollowCounts(0, 0);

    private final Source source;
    private final Set<String> authors;
    private @Nullable Map<String, FollowCounts> counts;
    private @Nullable Predicate<String> pulled;

    AuthorStatuses(Source source, Set<String> authors) {
        this.source = source;
        this.authors = authors;
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
                return pulled().test(author) ? FanoutMode.PULL : FanoutMode.PUSH;
            }

            @Override
            public Duration backlogAge() {
                return source.backlogAge();
            }
        };
    }

    private Map<String, FollowCounts> counts() {
        Map<String, FollowCounts> fetched = counts;
        if (fetched == null) {
            fetched = source.counts(authors);
            counts = fetched;
        }
        return fetched;
    }

    private Predicate<String> pulled() {
        Predicate<String> fetched = pulled;
        if (fetched == null) {
            fetched = source.pulled(authors);
            pulled = fetched;
        }
        return fetched;
    }
}
