package io.feedkit.internal;

import io.feedkit.Unread;
import io.feedkit.spi.Position;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts what is unread of many feeds, with the answers that reading would give, and without reading where that is certain. Opens no inbox and renews none. What is held at once does not grow with the
 * number of readers, but for the answers. Thread-safe.
 */
public final class UnreadPosts {

    /** How many feeds are counted together. */
    static final int READERS_AT_ONCE = 200;

    private final Parts parts;
    private final FeedReader feeds;
    private final KnownInboxes inboxes;

    public UnreadPosts(Parts parts, FeedReader feeds) {
        this.parts = parts;
        this.feeds = feeds;
        inboxes = new KnownInboxes(parts.outbox().fanout(), parts.settings());
    }

    /** Counts the posts of others above each reader's mark, up to the cap. */
    public Map<String, Unread> count(Collection<String> readers) {
        List<String> asked = readers.stream().distinct().toList();
        Map<String, Unread> answers = new HashMap<>();
        for (int i = 0; i < asked.size(); i += READERS_AT_ONCE) {
            List<String> some = asked.subList(i, Math.min(asked.size(), i + READERS_AT_ONCE));
            answers.putAll(new UnreadRound(parts, inboxes, feeds, marks(some)).count());
        }
        return Map.copyOf(answers);
    }

    private Map<String, Position> marks(List<String> readers) {
        List<Position> seen = parts.seenMarks().lastSeen(readers);
        Map<String, Position> marks = new LinkedHashMap<>();
        for (int i = 0; i < readers.size(); i++) {
            marks.put(readers.get(i), seen.get(i));
        }
        return marks;
    }
}
