package io.feedkit.internal.publish;

import io.feedkit.PostKey;
import io.feedkit.event.PostDeleted;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.Wakeable;
import io.feedkit.spi.Outbox;
import java.util.ArrayList;
import java.util.List;

/** Deletes posts, outside of transactions. Thread-safe. */
public final class Deleter {

    private final Outbox outbox;
    private final RegisterCache registerCache;
    private final GuardedListener listener;
    private final Wakeable workers;

    public Deleter(Outbox outbox, RegisterCache registerCache, GuardedListener listener, Wakeable workers) {
        this.outbox = outbox;
        this.registerCache = registerCache;
        this.listener = listener;
        this.workers = workers;
    }

    /**
     * Deletes posts. Inboxes may hold posts that the outbox does not know; they are hidden at once, too.
     *
     * @return for each post whether it was there
     */
    public List<Boolean> delete(List<PostKey> keys) {
        List<Boolean> existed = outbox.delete(keys);
        List<PostKey> deleted = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            if (existed.get(i)) {
                deleted.add(keys.get(i));
            }
        }
        registerCache.deleted(keys);
        deleted.forEach(key -> listener.notify(each -> each.deleted(PostDeleted.of(key))));
        workers.wake();
        return existed;
    }

    /** Hides posts that are deleted, until inboxes no longer hold them. */
    void hide(List<PostKey> keys) {
        registerCache.deleted(keys);
        workers.wake();
    }
}
