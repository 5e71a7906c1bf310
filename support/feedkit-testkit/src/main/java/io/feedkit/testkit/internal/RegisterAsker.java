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
 * Asks a pulled register for updates, as an engine does, and applies them one after the other. Its copy must then equal
 * the register. For one thread at a time.
 */
public final class RegisterAsker {

    private final PulledRegister register;

    /** The authors of interest; empty for all authors. */
    private final Optional<Set<String>> wanted;

    private final Map<String, Entry> pulled = new HashMap<>();
    private final Set<PostKey> retracting = new HashSet<>();
    private final Set<String> known = new HashSet<>();
    private Optional<Moment> moment = Optional.empty();

    private RegisterAsker(PulledRegister register, Optional<Set<String>> wanted) {
        this.register = register;
        this.wanted = wanted;
    }

    /** An asker for the whole register. */
    public static RegisterAsker ofAll(PulledRegister register) {
        return new RegisterAsker(register, Optional.empty());
    }

    /** An asker for some authors only, like an engine with a large register. */
    public static RegisterAsker of(PulledRegister register, Collection<String> authors) {
        return new RegisterAsker(register, Optional.of(Set.copyOf(authors)));
    }

    /** Another asker with the same copy, which from now on asks independently. */
    public RegisterAsker copy() {
        RegisterAsker copy = new RegisterAsker(register, wanted);
        copy.pulled.putAll(pulled);
        copy.retracting.addAll(retracting);
        copy.known.addAll(known);
        copy.moment = moment;
        return copy;
    }

    /** Asks for changes, and for authors that are not known yet, until all authors of interest are known. */
    public void ask() {
        do {
            Set<String> unknown = new TreeSet<>(wanted.orElse(Set.of()));
            unknown.removeAll(known);
            apply(register.update(moment, unknown, wanted.isEmpty() ? Integer.MAX_VALUE : 0), unknown);
        } while (!known.containsAll(wanted.orElse(Set.of())));
    }

    /** The asker's copy of the register, for the authors of interest. */
    public RegisterSnapshot believed() {
        return new RegisterSnapshot(pulled, retracting);
    }

    /** The present content of the register, for the authors of interest. */
    public RegisterSnapshot wanted() {
        return RegisterSnapshot.of(register).about(this::isWanted);
    }

    /** Whether an author is of interest. */
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
