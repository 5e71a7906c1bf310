package io.feedkit.bench;

import java.util.List;
import java.util.Optional;

/** A measurement that is set up once and returns a few figures. */
public interface Measurement {

    /**
     * The name on the command line and, usually, at the beginning of the figures.
     *
     * @return a few words
     */
    String name();

    /**
     * The input that it needs and does not have. The measurement is left out then.
     *
     * @return a few words; empty if nothing is missing
     */
    default Optional<String> lacks() {
        return Optional.empty();
    }

    /**
     * Measures value and baseline alternately.
     *
     * @param scale how large and how long
     * @return the figures
     */
    List<Figure> measure(Scale scale);
}
