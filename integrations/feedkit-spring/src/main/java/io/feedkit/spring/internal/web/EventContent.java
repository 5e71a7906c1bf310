package io.feedkit.spring.internal.web;

import io.feedkit.live.LiveEvent;
import io.feedkit.live.LiveEvent.PostAdded;
import io.feedkit.live.LiveEvent.PostDeleted;
import java.util.Map;

/** What an event of a live feed is on the wire. */
public final class EventContent {

    private EventContent() {}

    public static String name(LiveEvent event) {
        return event.getClass().getSimpleName();
    }

    /** The post, the key of a deleted post, or an empty object. */
    public static Object data(LiveEvent event) {
        if (event instanceof PostAdded added) {
            return added.post();
        }
        return event instanceof PostDeleted deleted ? deleted.key() : Map.of();
    }
}
