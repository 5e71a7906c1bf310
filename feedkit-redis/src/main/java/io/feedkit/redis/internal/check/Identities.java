package io.feedkit.redis.internal.check;

import io.feedkit.ForeignStoreException;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.call.Script;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The identities in the hash of the formats, with a field for each component: the identity of the source of truth under
 * the prefix, and of the source of truth to which the inboxes and the pending changes of counters belong. Thread-safe.
 */
public final class Identities {

    private static final Script<byte[]> IDENTITY = Script.bytes("check/identity");

    private final Link link;
    private final byte[] key;

    /** The identities under a prefix. */
    public Identities(Link link, Keys keys) {
        this.link = link;
        this.key = keys.ofPartition("format", 0);
    }

    /** The identity of a component. If it has none, it gets the given one in the same step. */
    public String claim(FormatComponent component, String identity) {
        return set(component, identity, false).orElse(identity);
    }

    /** Sets the identity of a component, and returns the one that it had before. */
    public Optional<String> replace(FormatComponent component, String identity) {
        return set(component, identity, true);
    }

    /** The value of another field of the hash; empty if it was never {@link #put}, or was put as {@code ""}. */
    public Optional<String> find(String field) {
        return set(field, "", false, Effect.READ);
    }

    /** Sets another field of the hash. */
    public void put(String field, String value) {
        set(field, value, true, Effect.WRITE);
    }

    private Optional<String> set(FormatComponent component, String identity, boolean replaces) {
        return set(component.label() + ".identity", identity, replaces, Effect.READ);
    }

    private Optional<String> set(String field, String value, boolean replaces, Effect effect) {
        List<byte[]> arguments =
                List.of(Arguments.text("0"), Arguments.text(field), Arguments.text(value), Arguments.flag(replaces));
        byte[] before = link.run("redis.identity", effect, IDENTITY.on(List.of(key), arguments));
        return before.length == 0 ? Optional.empty() : Optional.of(new String(before, StandardCharsets.ISO_8859_1));
    }

    /**
     * Claims a component for a source of truth.
     *
     * @param what the data of the component, for the message
     * @param adopting the call that assigns the component to another source of truth, for the message
     * @throws ForeignStoreException if the component belongs to another source of truth
     */
    public void require(FormatComponent component, String identity, String what, String adopting) {
        String owner = claim(component, identity);
        if (!owner.equals(identity)) {
            throw new ForeignStoreException(
                    what + " of the key " + new String(key, StandardCharsets.US_ASCII),
                    owner,
                    identity,
                    "set another prefix, or call " + adopting
                            + " if the database was copied or restored (docs/operations.md)");
        }
    }
}
