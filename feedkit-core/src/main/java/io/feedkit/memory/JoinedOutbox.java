package io.feedkit.memory;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The outbox as a transaction sees it: writes go to the transaction, everything else to what is committed. */
final class JoinedOutbox implements Outbox {

    private final Outbox committed;
    private final InMemoryTransaction transaction;

    JoinedOutbox(Outbox committed, InMemoryTransaction transaction) {
        this.committed = committed;
        this.transaction = transaction;
    }

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

    @Override
    public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
        return committed.newest(authors, range, each);
    }

    @Override
    public List<Post> page(PageQuery query) {
        return committed.page(query);
    }

    @Override
    public Set<PostKey> existing(Collection<PostKey> keys) {
        return committed.existing(keys);
    }

    @Override
    public Map<String, Long> counts(Collection<String> authors) {
        return committed.counts(authors);
    }

    @Override
    public List<Integer> count(List<CountQuery> queries) {
        return committed.count(queries);
    }

    @Override
    public Map<String, Long> lastAppended(Collection<String> authors) {
        return committed.lastAppended(authors);
    }

    @Override
    public long settledMark() {
        return committed.settledMark();
    }

    @Override
    public PulledRegister pulled() {
        return committed.pulled();
    }

    @Override
    public FanoutLog fanout() {
        return committed.fanout();
    }
}
