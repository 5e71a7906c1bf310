package io.feedkit.memory;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The pulled register: two small collections under one lock, and the last snapshot for as long as it holds. */
final class MemoryPulledRegister implements PulledRegister {

    private final Map<String, Entry> pulled = new HashMap<>();
    private final Set<PostKey> retracting = new HashSet<>();
    private Snapshot latest = Snapshot.EMPTY;
    private volatile long version;

    @Override
    public long version() {
        return version;
    }

    @Override
    public synchronized Snapshot snapshot() {
        if (latest.version() != version) {
            latest = new Snapshot(version, pulled, retracting);
        }
        return latest;
    }

    @Override
    public synchronized void put(List<Post> unpushed) {
        for (Post post : unpushed) {
            Position position = Position.of(post);
            Entry entry = pulled.get(post.author());
            Position oldest = entry == null ? position : Position.min(entry.oldest(), position);
            Position newest = entry == null ? position : Position.max(entry.newest(), position);
            pulled.put(post.author(), new Entry(oldest, newest, nextVersion()));
        }
    }

    @Override
    public synchronized boolean remove(String author, long expected) {
        Entry entry = pulled.get(author);
        if (entry == null || entry.version() != expected) {
            return false;
        }
        pulled.remove(author);
        nextVersion();
        return true;
    }

    /** Enters a deleted post whose retraction has been recorded in the log. */
    synchronized void retracting(PostKey key) {
        if (retracting.add(key)) {
            nextVersion();
        }
    }

    @Override
    public synchronized void retracted(List<PostKey> retracted) {
        for (PostKey key : retracted) {
            if (retracting.remove(key)) {
                nextVersion();
            }
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock, read without it
    private long nextVersion() {
        return ++version;
    }
}
