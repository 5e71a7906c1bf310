package io.feedkit.tools.replay;

import io.feedkit.tools.input.InputFile;
import java.nio.file.Path;

/** A file of follows, {@code follower followee} a line. */
record FollowsFile(Path path) {

    /** Hears of every follow. */
    @FunctionalInterface
    interface FollowConsumer {
        /** A reader follows an author. */
        void accept(long reader, long author);
    }

    /** Hands over every follow, in the file's order; lines in which somebody follows themselves are passed over. */
    void forEach(FollowConsumer follow) {
        new InputFile(path).forEach(line -> {
            long reader = line.integer("follower");
            long author = line.integer("followee");
            line.end();
            if (reader != author) {
                follow.accept(reader, author);
            }
        });
    }
}
