package io.feedkit.examples.microblog.notification;

import io.feedkit.examples.microblog.web.ApiTime;

/** How far an account has read a timeline, as JSON. */
record Marker(String lastReadId, int version, String updatedAt) {

    static Marker of(String lastReadId, int version, long updatedMillis) {
        return new Marker(lastReadId, version, ApiTime.of(updatedMillis));
    }
}
