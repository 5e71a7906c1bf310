package io.feedkit.internal.archive;

import io.feedkit.PublishTransaction;
import io.feedkit.spi.OutboxWriter;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.spi.WarmPosts;
import java.util.Collection;
import java.util.Set;

/** An archived outbox whose outbox takes part in transactions of the host. */
final class TransactionalArchivedOutbox extends ArchivedOutbox implements TransactionalOutbox {

    private final TransactionalOutbox outbox;
    private final Parts parts;

    TransactionalArchivedOutbox(TransactionalOutbox outbox, Parts parts) {
        super(outbox, parts);
        this.outbox = outbox;
        this.parts = parts;
    }

    @Override
    public boolean canJoin(Class<? extends PublishTransaction> type) {
        return outbox.canJoin(type);
    }

    /** The thread holds a connection of the host's pool, so nothing here takes another one. */
    @Override
    public OutboxWriter joining(PublishTransaction transaction) {
        OutboxWriter joined = outbox.joining(transaction);
        WarmPosts warm = parts.source().joining(transaction);
        return new ArchivedWriter(
                joined,
                warm,
                keys -> parts.archive().existing(transaction, keys),
                () -> Math.max(parts.boundary().lastKnown(), warm.boundary()),
                parts.clock());
    }

    @Override
    public Set<String> pulledAmong(PublishTransaction transaction, Collection<String> authors) {
        return outbox.pulledAmong(transaction, authors);
    }

    @Override
    public long invisibleSince(PublishTransaction transaction) {
        return outbox.invisibleSince(transaction);
    }
}
