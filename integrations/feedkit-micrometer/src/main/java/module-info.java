/** Meters and observations of feed engines, for Micrometer. */
module io.feedkit.micrometer {
    requires transitive io.feedkit.core;
    requires transitive micrometer.commons;
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires static transitive org.jspecify;

    exports io.feedkit.micrometer;
}
