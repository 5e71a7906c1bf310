package io.feedkit.memory;

import io.feedkit.PostKey;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.OutboxWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Writes to a transaction, which writes to the outbox when it commits. */
record JoinedOutbox(InMemoryTransaction transaction) implements OutboxWriter {

    @Override
    public List<Appended> append(List<Publication> publications) {
        List<Appended> answers = new ArrayList<>(publications.size());
        for (Publication publication : publications) {
            answers.add(transaction.append(publication));
        }
        return Collections.unmodifiableList(answers);
    }

    @Override
    public List<Boolean> delete(List<PostKey> keys) {
        List<Boolean> answers = new ArrayList<>(keys.size());
        for (PostKey key : keys) {
            answers.add(transaction.delete(key));
        }
        return Collections.unmodifiableList(answers);
    }
}
