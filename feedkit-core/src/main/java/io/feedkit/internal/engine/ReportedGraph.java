package io.feedkit.internal.engine;

import io.feedkit.HostGraph;
import io.feedkit.PublishTransaction;
import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.inbox.Follows;
import io.feedkit.internal.publish.Publisher;
import io.feedkit.internal.transaction.FollowWatch;
import java.util.Collection;
import java.util.List;

/** Takes the host's reports of changes to its own follow graph. */
final class ReportedGraph implements HostGraph {

    private final Follows follows;
    private final FollowWatch watch;
    private final Publisher publisher;
    private final Runnable wakeWorkersSoon;
    private final Runnable requireOpen;

    ReportedGraph(
            Follows follows, FollowWatch watch, Publisher publisher, Runnable wakeWorkersSoon, Runnable requireOpen) {
        this.follows = follows;
        this.watch = watch;
        this.publisher = publisher;
        this.wakeWorkersSoon = wakeWorkersSoon;
        this.requireOpen = requireOpen;
    }

    @Override
    public void followed(String reader, String author) {
        follows.notifyListener(follows.followed(reader(reader), one(author)));
    }

    @Override
    public void followedAll(String reader, Collection<String> authors) {
        follows.notifyListener(follows.followed(reader(reader), Ids.requireEach("authors", authors)));
    }

    @Override
    public void unfollowed(String reader, String author) {
        follows.notifyListener(follows.unfollowed(reader(reader), one(author)));
    }

    @Override
    public void unfollowedAll(String reader, Collection<String> authors) {
        follows.notifyListener(follows.unfollowed(reader(reader), Ids.requireEach("authors", authors)));
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

    private void remember(String reader, List<String> authors, boolean following, PublishTransaction transaction) {
        publisher.requireJoinable(Arguments.nonNull("transaction", transaction));
        watch.remember(reader, authors, following);
        wakeWorkersSoon.run();
    }
}
