package io.feedkit.examples.replay;

import java.nio.file.Path;

/** An input file that cannot be used; the message names the file, the line and what is wrong with it. */
final class InputException extends RuntimeException {

    private static final long serialVersionUID = 1;

    InputException(Path file, String problem) {
        super(file + ": " + problem);
    }

    InputException(Path file, long line, String problem) {
        super(file + ": line " + line + ": " + problem);
    }
}
