package io.feedkit.internal.host;

import io.feedkit.CallbackException;
import io.feedkit.FeedKitException;
import java.util.function.Supplier;

/**
 * Calls the host's policy, filter, loader and ranker. A throwable or a null answer becomes a {@link CallbackException}.
 * Two kinds of throwables pass unchanged: failures of a store that the callback met, and errors of the virtual machine,
 * such as a lack of memory. A stack overflow is the callback's own failure, and does not pass.
 */
public final class GuardedCallbacks {

    private GuardedCallbacks() {}

    public static <T> T call(String callback, Supplier<T> body) {
        T answer;
        try {
            answer = body.get();
        } catch (FeedKitException e) {
            throw e;
        } catch (Throwable e) {
            throwIfFatal(e);
            Interrupts.keep(e);
            throw new CallbackException(callback, e);
        }
        if (answer == null) {
            throw new CallbackException(callback, new NullPointerException("the callback returned null"));
        }
        return answer;
    }

    /** Rethrows an error of the virtual machine: it is not a failure of a callback or of a task. */
    public static void throwIfFatal(Throwable failure) {
        if (failure instanceof VirtualMachineError error && !(failure instanceof StackOverflowError)) {
            throw error;
        }
    }
}
