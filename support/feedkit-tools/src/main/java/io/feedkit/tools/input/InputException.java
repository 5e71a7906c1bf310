package io.feedkit.tools.input;

import java.nio.file.Path;

/** An input file cannot be used. The message names the file, the line and the problem. */
public final class InputException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public InputException(Path file, String problem) {
        super(file + ": " + problem);
    }

    public InputException(Path file, long line, String problem) {
        super(file + ": line " + line + ": " + problem);
    }
}
