package io.feedkit;

import io.feedkit.FeedEngineBuilder.LiveSettings;
import java.time.Duration;

/** Lets engines of tests notice a silent bus soon. */
public final class BusBeats {

    private BusBeats() {}

    /** An engine that hears nothing for three and a half beats misses the sender. */
    public static void set(LiveSettings settings, Duration beat) {
        settings.busBeat(beat);
    }
}
