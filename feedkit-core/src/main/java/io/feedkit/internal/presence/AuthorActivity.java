package io.feedkit.internal.presence;

import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.inbox.InboxRenewal;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Counts a publish as a visit of its author, if the host wants that: the author's own inbox stays live, or the author
 * was seen. Opens no inbox. Thread-safe.
 */
public final class AuthorActivity {

    private final EngineSettings settings;
    private final InboxRenewal renewal;
    private final Consumer<List<String>> seen;

    /**
     * @param seen records that authors were seen
     */
    public AuthorActivity(EngineSettings settings, InboxRenewal renewal, Consumer<List<String>> seen) {
        this.settings = settings;
        this.renewal = renewal;
        this.seen = seen;
    }

    /** Whether publishes count. */
    public boolean counts() {
        return settings.publishing().countsAsActivity() || settings.presence().publishesCount();
    }

    /** Records that authors have published. Never fails: the next publish makes up for it. */
    public void published(Collection<String> authors) {
        if (!counts() || authors.isEmpty()) {
            return;
        }
        List<String> distinct = authors.stream().distinct().toList();
        if (settings.presence().publishesCount()) {
            seen.accept(distinct);
        }
        if (settings.publishing().countsAsActivity()) {
            boolean unused = renewal.renew(distinct);
        }
    }
}
