package io.feedkit.tools.replay;

import io.feedkit.Post;
import io.feedkit.tools.input.InputFile;
import io.feedkit.tools.input.InputLine;
import io.feedkit.tools.input.Quoted;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A file of operations, one per line: {@code epochMillis P author id} (publish), {@code epochMillis D author id}
 * (delete), {@code epochMillis F reader author} (follow), {@code epochMillis U reader author} (unfollow),
 * {@code epochMillis R reader} (read the first page).
 */
record OpsFile(Path path) implements EventFile {

    private static final long LATEST = Post.LATEST.toEpochMilli();

    @Override
    public void forEach(Consumer<Event> event) {
        new InputFile(path).forEach(line -> event.accept(parse(line)));
    }

    private static Event parse(InputLine line) {
        long millis = line.integer("time in milliseconds", LATEST);
        String operation = line.field("operation");
        Event event = switch (operation) {
            case "P" -> new Event.Publish(millis, line.integer("author"), line.integer("post id"));
            case "D" -> new Event.Delete(millis, line.integer("author"), line.integer("post id"));
            case "F" -> new Event.Follow(millis, line.integer("reader"), line.integer("author"));
            case "U" -> new Event.Unfollow(millis, line.integer("reader"), line.integer("author"));
            case "R" -> new Event.Read(millis, line.integer("reader"));
            default -> throw line.wrong("operation must be P, D, F, U or R, but is " + Quoted.of(operation));
        };
        line.end();
        return event;
    }
}
