package io.feedkit.internal.presence;

import io.feedkit.internal.host.EngineSettings;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * Readers who were seen on this engine, until they are reported to the store. A read or a publish only writes an entry
 * here. At most {@value #MOST} readers wait: if the store cannot keep up, further readers are dropped. Thread-safe.
 */
public final class SeenReaders {

    /** The most readers who wait for a report: about 10 MB. */
    static final int MOST = 100_000;

    private final EngineSettings settings;
    private final Runnable noted;
    private final Runnable filling;
    private final ConcurrentHashMap<String, Long> seenAt = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * @param noted is called when a reader waits for a report
     * @param filling is called when so many readers wait that they should be reported soon
     */
    SeenReaders(EngineSettings settings, Runnable noted, Runnable filling) {
        this.settings = settings;
        this.noted = noted;
        this.filling = filling;
    }

    /** A reader has read a page of the feed. */
    public void read(String reader) {
        if (settings.presence().readsCount()) {
            note(reader);
        }
    }

    /** Authors have published. The caller has checked that publishes count. */
    public void published(List<String> authors) {
        authors.forEach(this::note);
    }

    /** A reader is there. */
    void note(String reader) {
        if (closed) {
            return;
        }
        long now = settings.now();
        if (seenAt.replace(reader, now) == null) {
            long waiting = seenAt.mappingCount();
            if (waiting < MOST) {
                seenAt.put(reader, now);
            }
            if (waiting >= MOST / 2) {
                filling.run();
            }
        }
        noted.run();
    }

    boolean isEmpty() {
        return seenAt.isEmpty();
    }

    /** When a reader was seen, if the reader waits for a report; otherwise 0. */
    long seenAt(String reader) {
        return seenAt.getOrDefault(reader, 0L);
    }

    /** Lists the readers who wait, with the times at which they were seen. */
    void forEach(BiConsumer<String, Long> action) {
        seenAt.forEach(action);
    }

    /** Removes a reader who was reported. A reader who was seen again meanwhile stays. */
    void reported(String reader, long at) {
        seenAt.remove(reader, at);
    }

    void forget(String reader) {
        seenAt.remove(reader);
    }

    /** Records no further readers. */
    void close() {
        closed = true;
    }
}
