package io.feedkit.tools.input;

import java.nio.file.Path;

/** An input file that cannot be used; the message names the file, the line and what is wrong with it. */
public final class InputException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public InputException(Path file, String problem) {
        super(file + ": " + problem);
    }

    public InputException(Path file, long line, String problem) {
        super(file + ": line " + line + ": " + problem);
    }
}
