package io.feedkit.examples.microblog.web;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Times as clients parse them: always with milliseconds. */
public final class ApiTime {

    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private ApiTime() {}

    public static String of(long millis) {
        return FORMAT.format(Instant.ofEpochMilli(millis));
    }
}
