package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All of a pulled register at one moment. */
public record RegisterSnapshot(Map<String, Entry> pulled, Set<PostKey> retracting) {

    public static RegisterSnapshot of(PulledRegister register) {
        Update update = register.update(Optional.empty(), List.of(), Integer.MAX_VALUE);
        assertThat(update.scope()).isEqualTo(Scope.WHOLE);
        Map<String, Entry> pulled = new HashMap<>();
        update.entries().forEach((author, entry) -> entry.ifPresent(present -> pulled.put(author, present)));
        return new RegisterSnapshot(pulled, update.retracting());
    }
}
