package io.feedkit.bench;

import java.util.List;
import java.util.Optional;

/** Something that is set up once and gives a few figures. */
public interface Measurement {

    /**
     * What it is called on the command line and, as a rule, at the beginning of its figures.
     *
     * @return a few words
     */
    String name();

    /**
     * What it needs and has not been given; it is left out then.
     *
     * @return a few words, or nothing
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
