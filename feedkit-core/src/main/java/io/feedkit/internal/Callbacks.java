package io.feedkit.internal;

import io.feedkit.CallbackException;
import io.feedkit.FeedKitException;
import java.util.function.Supplier;

/** Calls the host's deciding callbacks: whatever they throw, and a null answer, becomes a typed exception; failures of a store they met pass through. */
final class Callbacks {

    private Callbacks() {}

    static <T> T call(String callback, Supplier<T> body) {
        T answer;
        try {
            answer = body.get();
        } catch (FeedKitException e) {
            throw e;
        } catch (Exception e) {
            Interrupts.keep(e);
            throw new CallbackException(callback, e);
        }
        if (answer == null) {
            throw new CallbackException(callback, new NullPointerException("it returned null"));
        }
        return answer;
    }
}
