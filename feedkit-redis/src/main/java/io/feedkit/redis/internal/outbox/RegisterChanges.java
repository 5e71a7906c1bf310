package io.feedkit.redis.internal.outbox;

import io.feedkit.PostKey;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.PulledRegister.Moment;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Collects the content of an update. Later changes replace earlier ones. Used by one thread. */
final class RegisterChanges {

    /** The length of the token that a change begins with. */
    static final int TOKEN = 8;

    private final Map<String, Optional<Entry>> entries = new HashMap<>();
    private final Set<PostKey> retracting = new HashSet<>();
    private final Set<PostKey> retracted = new HashSet<>();

    /** Adds a change of the log. */
    void add(byte[] change) {
        byte[] about = Arrays.copyOfRange(change, TOKEN + 1, change.length);
        switch (change[TOKEN]) {
            case 'P' -> {
                int end = 1 + Byte.toUnsignedInt(about[0]);
                entry(
                        RegisterCodec.text(Arrays.copyOfRange(about, 1, end)),
                        Optional.of(RegisterCodec.entry(Arrays.copyOfRange(about, end, about.length))));
            }
            case 'L' -> entry(RegisterCodec.text(about), Optional.empty());
            case 'D' -> retractionBegun(RegisterCodec.post(about));
            case 'E' -> {
                PostKey key = RegisterCodec.post(about);
                retracting.remove(key);
                retracted.add(key);
            }
            default -> throw new IllegalStateException("a change of the pulled register is not of version 1");
        }
    }

    void entry(String author, Optional<Entry> entry) {
        entries.put(author, entry);
    }

    void retractionBegun(PostKey key) {
        retracted.remove(key);
        retracting.add(key);
    }

    /** The authors whose entries an update has. */
    Collection<String> authors() {
        return entries.keySet();
    }

    Update update(Moment moment, Scope scope) {
        return new Update(moment, scope, entries, retracting, retracted);
    }

    /** Adds the state of some authors in a partition: their entries, and their posts that are being retracted. */
    void addState(List<String> authors, List<?> values, List<?> posts) {
        for (int i = 0; i < authors.size(); i++) {
            byte[] value = (byte[]) values.get(i);
            entry(authors.get(i), value.length == 0 ? Optional.empty() : Optional.of(RegisterCodec.entry(value)));
        }
        posts.forEach(post -> retractionBegun(RegisterCodec.post((byte[]) post)));
    }
}
