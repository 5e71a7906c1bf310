package io.feedkit.tools.replay;

import io.feedkit.Post;
import io.feedkit.tools.input.InputFile;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A file of posts: one {@code epochSeconds author} per line. A post's id is its line number, starting at 0. */
record PostsFile(Path path) implements EventFile {

    private static final long LATEST = Post.LATEST.getEpochSecond();

    @Override
    public void forEach(Consumer<Event> event) {
        new InputFile(path).forEach(line -> {
            long seconds = line.integer("time in seconds", LATEST);
            long author = line.integer("author");
            line.end();
            event.accept(new Event.Publish(seconds * 1000, author, line.number() - 1));
        });
    }
}
