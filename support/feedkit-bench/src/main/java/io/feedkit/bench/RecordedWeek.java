package io.feedkit.bench;

import io.feedkit.tools.replay.Recording;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of a recorded week of follows and posts. */
public final class RecordedWeek {

    private static final String FOLLOWS = "higgs-follows.txt.gz";
    private static final String POSTS = "higgs-posts.txt.gz";

    /** What a measurement lacks without the files. */
    public static final String NEEDED = "--data, a directory with " + FOLLOWS + " and " + POSTS;

    private RecordedWeek() {}

    /**
     * The recording in a directory.
     *
     * @throws IllegalArgumentException if a file is missing
     */
    public static Recording in(Path directory) {
        return new Recording(existing(directory, FOLLOWS), existing(directory, POSTS));
    }

    private static Path existing(Path directory, String name) {
        Path file = directory.resolve(name);
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("data must be a directory with " + name + ", but is " + directory);
        }
        return file;
    }
}
