package io.feedkit.internal.unread;

import static java.util.Objects.requireNonNull;

import io.feedkit.Unread;
import io.feedkit.event.OperationStarted.Kind;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.read.FeedReader;
import io.feedkit.internal.view.FeedViews;
import io.feedkit.internal.view.SourceOfTruth;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenMarks.Seen;
import io.feedkit.spi.SeenPosts;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the unread posts of many feeds. The counts equal those that reading the feeds would give; a feed is read only
 * if its count is not certain otherwise. Opens no inbox and renews none. Apart from the answers, memory use does not
 * grow with the number of readers. Thread-safe.
 */
public final class FeedUnread {

    /** How many feeds are counted together. */
    static final int READERS_AT_ONCE = 200;

    private final EngineSettings settings;
    private final FeedViews views;
    private final SourceOfTruth source;
    private final FeedReader feeds;
    private final KnownMarks marks;
    private final GuardedListener listener;
    private final KnownInboxes inboxes;

    public FeedUnread(
            EngineSettings settings,
            FeedViews views,
            SourceOfTruth source,
            FeedReader feeds,
            SeenMarks seenMarks,
            GuardedListener listener) {
        this.settings = settings;
        this.views = views;
        this.source = source;
        this.feeds = feeds;
        this.listener = listener;
        marks = new KnownMarks(seenMarks);
        inboxes = new KnownInboxes(source.fanout(), settings);
    }

    /** Counts the posts of others that are not in each reader's mark, up to the cap. */
    public Map<String, Unread> count(Collection<String> readers) {
        List<String> asked = readers.stream().distinct().toList();
        return listener.observe(Kind.COUNT_UNREAD, asked.size(), () -> countAll(asked));
    }

    private Map<String, Unread> countAll(List<String> asked) {
        Map<String, Unread> answers = new HashMap<>();
        for (int i = 0; i < asked.size(); i += READERS_AT_ONCE) {
            answers.putAll(countSome(asked.subList(i, Math.min(asked.size(), i + READERS_AT_ONCE))));
        }
        return Map.copyOf(answers);
    }

    /** Counts with the remembered marks while the marks are read. Feeds whose marks have changed are counted again. */
    private Map<String, Unread> countSome(List<String> readers) {
        boolean mayAssume = views.askMeanwhile() && settings.reading().filter() == EngineSettings.SHOW_ALL;
        Map<String, SeenPosts> remembered = mayAssume ? marks.remembered(readers) : Map.of();
        if (remembered.isEmpty()) {
            return count(marks.read(readers));
        }
        Map<String, SeenPosts> left = new HashMap<>();
        Map<String, Unread> answers = new HashMap<>(round(remembered).count(() -> {
            left.putAll(marks.read(readers));
            return left;
        }));
        left.keySet().removeAll(answers.keySet());
        if (!left.isEmpty()) {
            answers.putAll(count(left));
        }
        return answers;
    }

    /** Counts the posts of others that a reader has not seen, up to the cap. */
    public Unread count(String reader, SeenPosts seen) {
        return listener.observe(
                Kind.COUNT_UNREAD,
                1,
                () -> requireNonNull(count(Map.of(reader, seen)).get(reader)));
    }

    private Map<String, Unread> count(Map<String, SeenPosts> seen) {
        return round(seen).count();
    }

    private UnreadRound round(Map<String, SeenPosts> seen) {
        return new UnreadRound(settings, views, source, inboxes, feeds, seen);
    }

    /** Learns what this engine has added to marks. */
    public void markSeen(List<Seen> added) {
        added.forEach(each -> marks.changed(each, SeenPosts::and));
    }

    /** Learns to what this engine has set a mark. */
    public void reset(Seen mark) {
        marks.changed(mark, (before, after) -> after);
    }

    /** Forgets what is remembered of a reader. */
    public void forget(String reader) {
        marks.forget(reader);
        inboxes.forget(reader);
    }
}
