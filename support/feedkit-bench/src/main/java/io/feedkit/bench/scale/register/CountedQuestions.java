package io.feedkit.bench.scale.register;

import io.feedkit.spi.Outbox;
import io.feedkit.spi.PulledRegister;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import io.feedkit.testkit.forwarding.ForwardingPulledRegister;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the updates that are requested from an outbox's register. Thread-safe. */
final class CountedQuestions implements ForwardingOutbox {

    private final Outbox delegate;
    private final AtomicLong questions = new AtomicLong();

    CountedQuestions(Outbox delegate) {
        this.delegate = delegate;
    }

    long questions() {
        return questions.get();
    }

    @Override
    public Outbox delegate() {
        return delegate;
    }

    @Override
    public PulledRegister pulled() {
        return new Counted(delegate.pulled(), questions);
    }

    private record Counted(PulledRegister delegate, AtomicLong questions) implements ForwardingPulledRegister {
        @Override
        public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
            questions.incrementAndGet();
            return delegate.update(since, authors, wholeUpTo);
        }
    }
}
