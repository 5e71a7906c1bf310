package io.feedkit.testkit.internal.inbox;

import io.feedkit.spi.InboxLimits;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;

/** The base of the chapters of the inbox kit. */
abstract class InboxRules {

    static final String READER = "reader";

    final InboxKit kit;

    /** Inboxes with a cap and a live window that a test exceeds only on purpose. */
    InboxDriver inbox;

    InboxRules(InboxKit kit) {
        this.kit = kit;
    }

    @BeforeEach
    void viewInboxes() {
        inbox = withCap(1000);
    }

    final InboxDriver withCap(int cap) {
        return view(cap, Duration.ofDays(7));
    }

    /** Inboxes whose live window runs out after the kit's short time. */
    final InboxDriver shortLived() {
        return view(1000, kit.shortTime());
    }

    final InboxDriver view(int cap, Duration liveWindow) {
        return new InboxDriver(kit.inbox(new InboxLimits(cap, liveWindow.toMillis())));
    }
}
