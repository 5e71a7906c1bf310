package io.feedkit.testkit.internal.callback;

import java.io.IOException;
import java.util.function.Consumer;

/** Throwables of code that breaks its contract. */
enum Thrown {
    /** An undeclared checked exception, as code in other languages may throw it. */
    CHECKED,
    UNCHECKED,
    /** An error: a class is missing, or an assertion fails. */
    ERROR,
    STACK_OVERFLOW,
    /** An exception whose message cannot be read, because reading it throws. */
    UNPRINTABLE;

    /**
     * Throws it, without declaring it.
     *
     * @param message its message
     * @param witness gets the throwable before it is thrown
     */
    void happen(String message, Consumer<Throwable> witness) {
        Throwable failure = make(message);
        witness.accept(failure);
        Thrown.<RuntimeException>throwUndeclared(failure);
    }

    private Throwable make(String message) {
        return switch (this) {
            case CHECKED -> new IOException(message);
            case UNCHECKED -> new IllegalStateException(message);
            case ERROR -> new NoClassDefFoundError(message);
            case STACK_OVERFLOW -> new StackOverflowError(message);
            case UNPRINTABLE -> new Unprintable();
        };
    }

    private static final class Unprintable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("the exception has no message");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("the exception has no text");
        }
    }

    @SuppressWarnings({"unchecked", "DoNotCallSuggester"}) // makes the compiler treat it as unchecked
    private static <E extends Throwable> void throwUndeclared(Throwable failure) throws E {
        throw (E) failure;
    }
}
