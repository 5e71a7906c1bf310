package io.feedkit.testkit.internal.callback;

import java.io.IOException;
import java.util.function.Consumer;

/** What code throws that keeps to no contract. */
enum Thrown {
    /** Code in other languages throws checked exceptions that it does not declare. */
    CHECKED,
    UNCHECKED,
    /** A class is missing, or an assertion does not hold. */
    ERROR,
    STACK_OVERFLOW;

    /**
     * Throws it, without declaring it.
     *
     * @param message what it says
     * @param witness is shown it before
     */
    void happen(String message, Consumer<Throwable> witness) {
        Throwable failure = make(message);
        witness.accept(failure);
        Thrown.<RuntimeException>sneak(failure);
    }

    private Throwable make(String message) {
        return switch (this) {
            case CHECKED -> new IOException(message);
            case UNCHECKED -> new IllegalStateException(message);
            case ERROR -> new NoClassDefFoundError(message);
            case STACK_OVERFLOW -> new StackOverflowError(message);
        };
    }

    @SuppressWarnings({"unchecked", "DoNotCallSuggester"}) // the compiler is told that it is unchecked
    private static <E extends Throwable> void sneak(Throwable failure) throws E {
        throw (E) failure;
    }
}
