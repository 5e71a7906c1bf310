package io.feedkit.testkit.forwarding;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.PulledRegister;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A pulled register that passes every call on. Implement {@link #delegate()} and override the calls that should behave
 * differently: a fault, a count, a delay.
 *
 * @since 0.1.0
 */
public interface ForwardingPulledRegister extends PulledRegister {

    /**
     * The target of the calls.
     *
     * @return the decorated part
     */
    PulledRegister delegate();

    @Override
    default Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
        return delegate().update(since, authors, wholeUpTo);
    }

    @Override
    default void put(List<Post> unpushed) {
        delegate().put(unpushed);
    }

    @Override
    default boolean remove(String author, long version) {
        return delegate().remove(author, version);
    }

    @Override
    default void retracted(List<PostKey> retracted) {
        delegate().retracted(retracted);
    }
}
