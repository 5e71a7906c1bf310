package io.feedkit.internal.engine;

import io.feedkit.HostGraph;
import io.feedkit.PublishTransaction;
import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.inbox.Follows;
import io.feedkit.internal.publish.TransactionWriter;
import io.feedkit.internal.transaction.FollowWatch;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Takes the host's reports of changes to its own follow graph. */
final class ReportedGraph implements HostGraph {

    private final PublishTransaction.Current transactions;
    private final Follows follows;
    private final FollowWatch watch;
    private final TransactionWriter writer;
    private final Runnable wakeWorkersSoon;
    private final Runnable requireOpen;

    ReportedGraph(
            PublishTransaction.Current transactions,
            Follows follows,
            FollowWatch watch,
            TransactionWriter writer,
            Runnable wakeWorkersSoon,
            Runnable requireOpen) {
        this.transactions = transactions;
        this.follows = follows;
        this.watch = watch;
        this.writer = writer;
        this.wakeWorkersSoon = wakeWorkersSoon;
        this.requireOpen = requireOpen;
    }

    @Override
    public void followed(String reader, String author) {
        report(reader(reader), one(author), true);
    }

    @Override
    public void followedAll(String reader, Collection<String> authors) {
        report(reader(reader), Ids.requireEach("authors", authors), true);
    }

    @Override
    public void unfollowed(String reader, String author) {
        report(reader(reader), one(author), false);
    }

    @Override
    public void unfollowedAll(String reader, Collection<String> authors) {
        report(reader(reader), Ids.requireEach("authors", authors), false);
    }

    @Override
    public void followed(String reader, String author, PublishTransaction transaction) {
        remember(reader(reader), one(author), true, transaction);
    }

    @Override
    public void followedAll(String reader, Collection<String> authors, PublishTransaction transaction) {
        remember(reader(reader), Ids.requireEach("authors", authors), true, transaction);
    }

    @Override
    public void unfollowed(String reader, String author, PublishTransaction transaction) {
        remember(reader(reader), one(author), false, transaction);
    }

    @Override
    public void unfollowedAll(String reader, Collection<String> authors, PublishTransaction transaction) {
        remember(reader(reader), Ids.requireEach("authors", authors), false, transaction);
    }

    private String reader(String reader) {
        requireOpen.run();
        return Ids.require("reader", reader);
    }

    private static List<String> one(String author) {
        return List.of(Ids.require("author", author));
    }

    /** Reports in the caller's transaction, or else after its commit, which is at once without a transaction. */
    private void report(String reader, List<String> authors, boolean following) {
        Optional<PublishTransaction> transaction = transactions.find();
        if (transaction.isPresent()) {
            remember(reader, authors, following, transaction.get());
        } else {
            Runnable report = () -> follows.notifyListener(
                    following ? follows.followed(reader, authors) : follows.unfollowed(reader, authors));
            if (!transactions.afterCommit(report)) {
                report.run();
            }
        }
    }

    private void remember(String reader, List<String> authors, boolean following, PublishTransaction transaction) {
        writer.requireJoinable(Arguments.nonNull("transaction", transaction));
        watch.remember(reader, authors, following);
        wakeWorkersSoon.run();
    }
}
