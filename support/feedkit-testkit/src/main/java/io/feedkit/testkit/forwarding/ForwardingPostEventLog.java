package io.feedkit.testkit.forwarding;

import io.feedkit.spi.PostEventLog;
import java.util.List;

/**
 * A log of post events that passes every call on. Implement {@link #delegate()} and override the calls that should
 * behave differently: a fault, a count, a delay.
 *
 * @since 0.1.0
 */
public interface ForwardingPostEventLog extends PostEventLog {

    /**
     * The target of the calls.
     *
     * @return the decorated part
     */
    PostEventLog delegate();

    @Override
    default List<Claim> claim(int max, long leaseMillis) {
        return delegate().claim(max, leaseMillis);
    }

    @Override
    default List<Boolean> finish(List<Claim> claims) {
        return delegate().finish(claims);
    }

    @Override
    default List<Boolean> release(List<Claim> claims) {
        return delegate().release(claims);
    }

    @Override
    default Unsent unsent() {
        return delegate().unsent();
    }
}
