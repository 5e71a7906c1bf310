package io.feedkit.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.PostKey;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.PulledRegister.Moment;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Somebody who asks a pulled register for updates, as an engine does, and applies them one on top of the other. What it
 * then believes must be what is in the register. For one thread at a time.
 */
public final class RegisterAsker {

    private final PulledRegister register;

    /** Whose posts it wants to know of; empty for those of all authors. */
    private final Optional<Set<String>> wanted;

    private final Map<String, Entry> pulled = new HashMap<>();
    private final Set<PostKey> retracting = new HashSet<>();
    private final Set<String> known = new HashSet<>();
    private Optional<Moment> moment = Optional.empty();

    private RegisterAsker(PulledRegister register, Optional<Set<String>> wanted) {
        this.register = register;
        this.wanted = wanted;
    }

    /** Wants to know the whole register. */
    public static RegisterAsker ofAll(PulledRegister register) {
        return new RegisterAsker(register, Optional.empty());
    }

    /** Wants to know of some authors only, as an engine does whose register is large. */
    public static RegisterAsker of(PulledRegister register, Collection<String> authors) {
        return new RegisterAsker(register, Optional.of(Set.copyOf(authors)));
    }

    /** Another who knows the same, and asks at a pace of its own from now on. */
    public RegisterAsker copy() {
        RegisterAsker copy = new RegisterAsker(register, wanted);
        copy.pulled.putAll(pulled);
        copy.retracting.addAll(retracting);
        copy.known.addAll(known);
        copy.moment = moment;
        return copy;
    }

    /** Asks what changed, and for the authors it does not know yet, until it knows all that it wants. */
    public void ask() {
        do {
            Set<String> unknown = new TreeSet<>(wanted.orElse(Set.of()));
            unknown.removeAll(known);
            apply(register.update(moment, unknown, wanted.isEmpty() ? Integer.MAX_VALUE : 0), unknown);
        } while (!known.containsAll(wanted.orElse(Set.of())));
    }

    /** What it believes to be in the register, of the authors it wants to know of. */
    public RegisterSnapshot believed() {
        return new RegisterSnapshot(pulled, retracting);
    }

    /** What it would have to believe if it asked now. */
    public RegisterSnapshot wanted() {
        return RegisterSnapshot.of(register).about(this::isWanted);
    }

    /** Whether it wants to know of an author. */
    public boolean isWanted(String author) {
        return wanted.map(authors -> authors.contains(author)).orElse(true);
    }

    private void apply(Update update, Set<String> asked) {
        assertThat(update.retracting())
                .as("posts being retracted, beside those whose retraction has finished")
                .noneMatch(update.retracted()::contains);
        if (update.scope() != Scope.CHANGES) {
            pulled.clear();
            retracting.clear();
            known.clear();
        }
        if (update.scope() == Scope.WHOLE) {
            known.addAll(wanted.orElse(Set.of()));
        }
        known.addAll(asked);
        update.entries().forEach((author, entry) -> {
            if (entry.isEmpty()) {
                pulled.remove(author);
            } else if (isWanted(author)) {
                pulled.put(author, entry.get());
            }
        });
        update.retracting().stream().filter(key -> isWanted(key.author())).forEach(retracting::add);
        retracting.removeAll(update.retracted());
        moment = Optional.of(update.moment());
    }
}
