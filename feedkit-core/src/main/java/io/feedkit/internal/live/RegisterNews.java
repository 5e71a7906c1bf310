package io.feedkit.internal.live;

import io.feedkit.Post;
import io.feedkit.internal.signal.Signal;
import io.feedkit.internal.signal.Signal.Changed;
import io.feedkit.internal.signal.Signal.Deleted;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Finds posts and deletions of followed authors through changes of the pulled register. Thread-safe. */
final class RegisterNews {

    private static final int AUTHORS_AT_ONCE = 500;
    private static final int POSTS_OF_AUTHOR = 20;

    private final Outbox outbox;
    private final ConnectedReaders readers;
    private final SignalRouter router;

    /** The authors with new entries in the register. */
    private final Set<String> changedAuthors = ConcurrentHashMap.newKeySet();

    RegisterNews(Outbox outbox, ConnectedReaders readers, SignalRouter router) {
        this.outbox = outbox;
        this.readers = readers;
        this.router = router;
    }

    /** Takes the changes of the register, as an update brought them to this engine. */
    void take(Update update) {
        if (readers.isEmpty()) {
            return;
        }
        router.add(update.retracting().stream()
                .filter(key -> readers.isFollowed(key.author()))
                .map(Deleted::new)
                .toList());
        update.entries().forEach((author, entry) -> {
            if (entry.isPresent() && readers.isFollowed(author)) {
                changedAuthors.add(author);
            }
        });
    }

    /** Reads the recent posts of authors with new entries. */
    void lookAtAuthors(PositionRange recent) {
        List<String> authors = new ArrayList<>(changedAuthors);
        for (int from = 0; from < authors.size(); from += AUTHORS_AT_ONCE) {
            List<String> some = authors.subList(from, Math.min(authors.size(), from + AUTHORS_AT_ONCE));
            List<List<Post>> found = outbox.newest(some, recent, POSTS_OF_AUTHOR);
            List<Signal> signals = new ArrayList<>();
            for (int i = 0; i < some.size(); i++) {
                if (found.get(i).size() == POSTS_OF_AUTHOR) {
                    signals.add(new Changed(some.get(i), KeyRange.ALL, false));
                } else {
                    signals.addAll(Signal.pulled(found.get(i)));
                }
            }
            router.add(signals);
            some.forEach(changedAuthors::remove);
        }
    }
}
