package io.feedkit.internal.presence;

import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.TimedThread;
import io.feedkit.internal.inbox.InboxRenewal;
import io.feedkit.internal.presence.ConnectedReaders.Connected;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the inboxes of connected readers live, and recently renewed for active pushes, although the readers do not
 * read. An inbox is renewed when its reader connects, and then once in a quarter of the shorter of both windows. So
 * renewals cost little. They have a thread of their own, which the presence store cannot hold up. Thread-safe.
 */
final class ConnectedInboxes {

    private static final int RENEWALS_IN_WINDOW = 4;

    /** How long a new connection waits for others whose inboxes are renewed in the same call. */
    private static final Duration PROMPT = Duration.ofSeconds(1);

    private final EngineSettings settings;
    private final InboxRenewal renewal;
    private final ConnectedReaders connected;
    private final TimedThread thread;
    private final Duration renewEvery;
    private final Duration pause;
    private final Duration prompt;

    ConnectedInboxes(EngineSettings settings, InboxRenewal renewal, ConnectedReaders connected) {
        this.settings = settings;
        this.renewal = renewal;
        this.connected = connected;
        Duration live = Duration.ofMillis(settings.inboxes().limits().liveWindowMillis());
        Duration active = settings.fanout().activePush().window();
        this.renewEvery = (live.compareTo(active) < 0 ? live : active).dividedBy(RENEWALS_IN_WINDOW);
        this.pause = renewEvery.dividedBy(2);
        this.prompt = pause.compareTo(PROMPT) < 0 ? pause : PROMPT;
        this.thread = new TimedThread(settings, "presence-inboxes", this::run);
    }

    /** A reader has connected. */
    void arrived() {
        thread.within(prompt);
    }

    private void run() {
        try {
            renewDue();
        } finally {
            if (!connected.isEmpty()) {
                thread.within(pause);
            }
        }
    }

    /** Renews the inboxes that are due. */
    void renewDue() {
        long now = settings.now();
        List<Connected> due = new ArrayList<>();
        connected.forEach(each -> {
            if (isDue(each, now)) {
                due.add(each);
            }
        });
        if (!due.isEmpty() && renewal.renew(due.stream().map(Connected::reader).toList())) {
            due.forEach(each -> each.renewed(now));
        }
    }

    private boolean isDue(Connected reader, long now) {
        long last = reader.renewedAt();
        return last == 0 || now < last || now - last >= renewEvery.toMillis();
    }

    void close() {
        thread.close();
    }
}
