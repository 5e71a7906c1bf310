package io.feedkit.tools.inspect;

import io.feedkit.Post;
import io.feedkit.health.Health.Part;
import io.feedkit.inspect.ConnectionState;
import io.feedkit.inspect.DeliveryTask;
import io.feedkit.inspect.Explanation;
import io.feedkit.inspect.FolloweeState;
import io.feedkit.inspect.InboxState;
import io.feedkit.inspect.PulledAuthor;
import io.feedkit.inspect.ReaderState;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Prints states and explanations, a line for each fact. */
final class StateReport {

    private final PrintWriter out;

    StateReport(PrintWriter out) {
        this.out = out;
    }

    void print(Explanation explanation) {
        String verdict = switch (explanation.verdict()) {
            case SHOWN -> "shown";
            case HIDDEN -> "not shown";
            case UNKNOWN -> "not known";
        };
        out.printf(
                "%s/%s in the feed of %s: %s, %s%n",
                explanation.post().author(),
                explanation.post().id(),
                explanation.reader(),
                verdict,
                explanation.reason());
        out.println(explanation.sentence());
        explanation.publishedAt().ifPresent(time -> out.println("published  " + time));
        print(explanation.inbox());
        explanation.pulled().ifPresent(pulled -> out.println("register   " + pulled(pulled)));
        explanation.tasks().forEach(task -> out.println("task       " + task(task)));
        print(explanation.unreachable());
    }

    void print(ReaderState state) {
        out.println("reader     " + state.reader());
        print(state.inbox());
        print(state.followees());
        state.pendingFollows().stream()
                .sorted()
                .forEach(author -> out.println("pending    a follow or unfollow of " + author + " has not ended"));
        out.println(
                "seen       " + state.seenUpTo().map(time -> "up to " + time).orElse("nothing"));
        print(state.connection());
        print(state.unreachable());
    }

    private void print(ConnectionState connection) {
        String online =
                connection.online().map(yes -> yes ? "online" : "not online").orElse("not known");
        out.println("presence   " + online
                + connection.lastSeen().map(time -> ", last seen " + time).orElse(""));
    }

    private void print(InboxState inbox) {
        String entries = inbox.status() != InboxState.Status.LIVE
                ? ""
                : ", " + inbox.entries() + (inbox.entries() == 1 ? " entry" : " entries")
                        + inbox.newest().map(post -> ", newest " + place(post)).orElse("")
                        + inbox.oldest().map(post -> ", oldest " + place(post)).orElse("");
        out.println("inbox      " + inbox.status() + entries);
        if (inbox.status() == InboxState.Status.LIVE) {
            out.println(
                    "  complete down to " + inbox.floor().map(Instant::toString).orElse("the beginning"));
        }
        time("  last read ", inbox.lastRead());
        time("  live until ", inbox.liveUntil());
        time("  last compared with the outboxes ", inbox.compared());
        if (inbox.graphChanged()) {
            out.println("  built for other followees: a follow or unfollow was not reported");
        }
    }

    private void time(String name, Optional<Instant> time) {
        time.ifPresent(at -> out.println(name + at));
    }

    private void print(FolloweeState followees) {
        out.println("followees  " + followees.count() + (followees.cutOff() ? ", and more beyond maxFollowees" : ""));
        followees.first().forEach(author -> out.println("  " + author));
        out.println("pulled     " + followees.pulledCount());
        followees.pulled().forEach(pulled -> out.println("  " + pulled.author() + " " + pulled(pulled)));
    }

    private void print(Map<Part, String> unreachable) {
        unreachable.forEach((part, problem) -> out.println("no answer  " + part + ": " + problem));
    }

    private static String place(Post post) {
        return post.publishedAt() + " " + post.author() + "/" + post.id();
    }

    private static String pulled(PulledAuthor pulled) {
        return "from " + pulled.oldest() + " to " + pulled.newest();
    }

    private static String task(DeliveryTask task) {
        return task.id() + " " + task.kind() + " " + task.state() + ", " + until(task) + ", created " + task.created()
                + (task.attempts() > 0 ? ", failures: " + task.attempts() : "")
                + (task.outages() > 0 ? ", failures to reach a store: " + task.outages() : "")
                + task.handled().map(reader -> ", at follower " + reader).orElse("")
                + task.failure().map(failure -> ", " + failure).orElse("");
    }

    private static String until(DeliveryTask task) {
        return switch (task.state()) {
            case WAITING, RETRYING -> "due " + task.until();
            case CLAIMED, QUEUED -> "until " + task.until();
            case DEAD -> "since " + task.until();
        };
    }
}
