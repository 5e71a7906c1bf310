package io.feedkit.bench.microblog;

import java.util.concurrent.Flow;
import java.util.function.Consumer;

/** Gives all lines of an answer to a consumer, as they arrive. */
record LineConsumer(Consumer<String> lines) implements Flow.Subscriber<String> {

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(String line) {
        lines.accept(line);
    }

    @Override
    public void onError(Throwable failure) {
        // The server ended the stream. Posts that do not arrive are counted.
    }

    @Override
    public void onComplete() {
        // As above.
    }
}
