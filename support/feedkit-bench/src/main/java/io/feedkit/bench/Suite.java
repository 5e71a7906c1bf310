package io.feedkit.bench;

import java.util.List;

/**
 * What is measured together: one backend, or one purpose.
 *
 * @param name what the command line calls it
 * @param description one line
 * @param measurements what is measured, in this order
 */
public record Suite(String name, String description, List<Measurement> measurements) {

    /** Copies the measurements. */
    public Suite {
        measurements = List.copyOf(measurements);
    }
}
