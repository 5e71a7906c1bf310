package io.feedkit.internal;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.PulledRegister.Snapshot;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What this engine knows of the pulled register: a snapshot that is at most {@code staleness} old, and over it this engine's own changes, which
 * therefore show at once. A change leaves this engine's own only after it has come into the snapshot, so whoever asks looks at the own ones first. Thread-safe.
 */
public final class RegisterView {

    private record Checked(Snapshot snapshot, long at) {}

    private final PulledRegister register;
    private final Clock clock;
    private final long stalenessMillis;
    private final ReentrantLock refreshing = new ReentrantLock();
    private final Map<String, Position> ownPulled = new ConcurrentHashMap<>();
    private final Set<PostKey> ownRetracting = ConcurrentHashMap.newKeySet();
    private volatile Checked checked = new Checked(Snapshot.EMPTY, Long.MIN_VALUE);

    public RegisterView(PulledRegister register, Settings settings) {
        this.register = register;
        this.clock = settings.clock();
        this.stalenessMillis = settings.staleness().toMillis();
    }

    /** Brings the snapshot up to date if it may be too old; readers call it once a page. */
    void refreshIfStale() {
        long age = clock.millis() - checked.at();
        if (age < 0 || age >= stalenessMillis) {
            refresh();
        }
    }

    /** Brings the snapshot up to date. */
    Snapshot refresh() {
        refreshing.lock();
        try {
            long now = clock.millis();
            Map<String, Position> coveredPulled = new HashMap<>(ownPulled);
            Set<PostKey> coveredRetracting = new HashSet<>(ownRetracting);
            Snapshot snapshot = checked.snapshot();
            if (checked.at() == Long.MIN_VALUE || register.version() != snapshot.version()) {
                snapshot = register.snapshot();
            }
            checked = new Checked(snapshot, now);
            coveredPulled.forEach(ownPulled::remove);
            ownRetracting.removeAll(coveredRetracting);
            return snapshot;
        } finally {
            refreshing.unlock();
        }
    }

    /** The newest unpushed position of an author, if the author has unpushed posts. */
    Optional<Position> newestUnpushed(String author) {
        Position own = ownPulled.get(author);
        Entry entry = checked.snapshot().pulled().get(author);
        if (entry == null) {
            return Optional.ofNullable(own);
        }
        return Optional.of(own == null ? entry.newest() : Position.max(own, entry.newest()));
    }

    /** Some of these authors, all pulled ones among them: found through whichever is smaller, these authors or the register. */
    Set<String> narrow(Set<String> authors) {
        if (ownPulled.size() >= authors.size()) {
            return authors;
        }
        Set<String> pulled = new HashSet<>(ownPulled.keySet());
        Set<String> registered = checked.snapshot().pulled().keySet();
        if (registered.size() >= authors.size()) {
            return authors;
        }
        pulled.addAll(registered);
        pulled.retainAll(authors);
        return pulled;
    }

    boolean isPulled(String author) {
        return ownPulled.containsKey(author) || checked.snapshot().pulled().containsKey(author);
    }

    boolean isRetracting(Post post) {
        if (!ownRetracting.isEmpty() && ownRetracting.contains(post.key())) {
            return true;
        }
        Set<PostKey> retracting = checked.snapshot().retracting();
        return !retracting.isEmpty() && retracting.contains(post.key());
    }

    /** Whether nobody is pulled, so that readers need not look. */
    boolean nobodyPulled() {
        return ownPulled.isEmpty() && checked.snapshot().pulled().isEmpty();
    }

    void put(List<Post> unpushed) {
        register.put(unpushed);
        unpushed.forEach(post -> ownPulled.merge(post.author(), Position.of(post), Position::max));
    }

    void deleted(PostKey key) {
        ownRetracting.add(key);
    }

    boolean remove(String author, long version) {
        return register.remove(author, version);
    }

    void retracted(List<PostKey> keys) {
        register.retracted(keys);
    }
}
