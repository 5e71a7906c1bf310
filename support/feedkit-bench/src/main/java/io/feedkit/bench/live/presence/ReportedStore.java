package io.feedkit.bench.live.presence;

import io.feedkit.spi.PresenceStore;
import io.feedkit.testkit.forwarding.ForwardingPresenceStore;
import java.util.List;

/**
 * A presence store that ignores reports after the measurement. An engine that is closed reports all its readers once
 * more, and does not wait longer than a second. Thread-safe.
 */
final class ReportedStore implements ForwardingPresenceStore {

    private final PresenceStore store;
    private volatile boolean ended;

    ReportedStore(PresenceStore store) {
        this.store = store;
    }

    @Override
    public PresenceStore delegate() {
        return store;
    }

    void end() {
        ended = true;
    }

    @Override
    public void report(List<Sighting> sightings, long keptMillis) {
        if (!ended) {
            store.report(sightings, keptMillis);
        }
    }
}
