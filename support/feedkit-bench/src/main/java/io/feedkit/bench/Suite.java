package io.feedkit.bench;

import java.util.List;

/**
 * Measurements that belong together: of one backend, or for one purpose.
 *
 * @param name the name on the command line
 * @param description one line
 * @param measurements the measurements, in this order
 */
public record Suite(String name, String description, List<Measurement> measurements) {

    /** Copies the measurements. */
    public Suite {
        measurements = List.copyOf(measurements);
    }
}
