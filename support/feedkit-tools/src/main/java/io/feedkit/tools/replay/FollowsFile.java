package io.feedkit.tools.replay;

import io.feedkit.tools.input.InputFile;
import java.nio.file.Path;

/** A file of follows: one {@code follower followee} per line. */
record FollowsFile(Path path) {

    /** Receives every follow. */
    @FunctionalInterface
    interface FollowConsumer {
        /** A reader follows an author. */
        void accept(long reader, long author);
    }

    /** Passes every follow to a consumer, in the file's order. Skips self-follows. */
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
