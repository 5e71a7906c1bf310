package io.feedkit.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.PostKey;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The content of a pulled register, or a copy of it that may be outdated. Immutable.
 *
 * @param pulled the entries by author
 * @param retracting deleted posts whose retraction has not finished
 */
public record RegisterSnapshot(Map<String, Entry> pulled, Set<PostKey> retracting) {

    /** Copies the collections. */
    public RegisterSnapshot {
        pulled = Map.copyOf(pulled);
        retracting = Set.copyOf(retracting);
    }

    /** The whole content of a register, as it answers a caller without a snapshot. */
    public static RegisterSnapshot of(PulledRegister register) {
        Update update = register.update(Optional.empty(), List.of(), Integer.MAX_VALUE);
        assertThat(update.scope())
                .as("scope of an update without a moment that may be whole")
                .isEqualTo(Scope.WHOLE);
        Map<String, Entry> pulled = new HashMap<>();
        update.entries().forEach((author, entry) -> entry.ifPresent(present -> pulled.put(author, present)));
        return new RegisterSnapshot(pulled, update.retracting());
    }

    /** The part of this snapshot for given authors. */
    public RegisterSnapshot about(Predicate<String> authors) {
        Map<String, Entry> some = new HashMap<>(pulled);
        some.keySet().removeIf(authors.negate());
        Set<PostKey> ofThem = new HashSet<>(retracting);
        ofThem.removeIf(key -> !authors.test(key.author()));
        return new RegisterSnapshot(some, ofThem);
    }
}
