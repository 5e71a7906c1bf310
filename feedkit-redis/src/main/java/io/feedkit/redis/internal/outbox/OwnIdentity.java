package io.feedkit.redis.internal.outbox;

import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.check.Identities;
import java.util.UUID;
import java.util.function.Supplier;

/** The identity of the source of truth in Redis. It is created or read at the first request, and then cached. */
final class OwnIdentity implements Supplier<String> {

    private final Identities identities;
    private volatile String known = "";

    OwnIdentity(Identities identities) {
        this.identities = identities;
    }

    @Override
    public String get() {
        if (known.isEmpty()) {
            known = identities.claim(
                    FormatComponent.SOURCE_OF_TRUTH, UUID.randomUUID().toString());
        }
        return known;
    }
}
