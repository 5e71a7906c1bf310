package io.feedkit.internal.verify;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.PulledRegister.Update;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the pulled register said about some authors at one moment, read from the store. */
record RegisterState(Map<String, Entry> entries, Set<PostKey> retracting) {

    static RegisterState of(PulledRegister register, Collection<String> authors) {
        if (authors.isEmpty()) {
            return new RegisterState(Map.of(), Set.of());
        }
        Update update = register.update(Optional.empty(), authors, 0);
        Map<String, Entry> entries = new HashMap<>();
        update.entries().forEach((author, entry) -> entry.ifPresent(found -> entries.put(author, found)));
        return new RegisterState(entries, update.retracting());
    }

    /** Both, for different authors. */
    RegisterState and(RegisterState other) {
        Map<String, Entry> all = new HashMap<>(entries);
        all.putAll(other.entries);
        Set<PostKey> both = new HashSet<>(retracting);
        both.addAll(other.retracting);
        return new RegisterState(all, both);
    }

    /** Whether pages read a post from its outbox. */
    boolean covers(Post post) {
        Entry entry = entries.get(post.author());
        return entry != null
                && entry.oldest().compareOf(post) >= 0
                && entry.newest().compareOf(post) <= 0;
    }
}
