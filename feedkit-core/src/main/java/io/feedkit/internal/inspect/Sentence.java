package io.feedkit.internal.inspect;

import io.feedkit.Post;
import io.feedkit.inspect.DeliveryTask;
import io.feedkit.inspect.Explanation.Reason;
import io.feedkit.inspect.PulledAuthor;
import io.feedkit.internal.inspect.PostFacts.InOutbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.Window;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The sentence of an explanation, with names and times. */
final class Sentence {

    private final PostFacts facts;
    private final Optional<PulledAuthor> pulled;
    private final int maxFollowees;
    private final String reader;
    private final String author;

    Sentence(PostFacts facts, Optional<PulledAuthor> pulled, int maxFollowees) {
        this.facts = facts;
        this.pulled = pulled;
        this.maxFollowees = maxFollowees;
        this.reader = facts.reader();
        this.author = facts.key().author();
    }

    String of(Reason reason) {
        return switch (reason) {
            case STORE_UNREACHABLE ->
                "A part of the store cannot be reached, so it is not known whether pages show it.";
            case NOT_FOUND -> author + " has no post with this id.";
            case DELETED -> author + " has deleted the post" + retracted() + ".";
            case AHEAD -> "The post is dated ahead: the outbox holds it back until " + time() + ".";
            case NOT_FOLLOWED -> reader + " does not follow " + author + pending() + ".";
            case OWN_POSTS_OFF -> "The post is " + reader + "'s own, and the setting ownPosts is off.";
            case BEYOND_MAX_FOLLOWEES ->
                reader + " follows more than maxFollowees (" + maxFollowees + ") authors, and " + author
                        + " is not among the first by id.";
            case FOLLOW_NOT_REPORTED ->
                reader + " follows " + author + " in the graph, but the follow was not reported to this engine, which"
                        + " still uses the earlier followees.";
            case FILTERED -> "The filter of the host hides the post from " + reader + ".";
            case UNFOLLOW_NOT_REPORTED ->
                reader + " does not follow " + author + " in the graph, but the unfollow was not reported to this"
                        + " engine, which still uses the earlier followees.";
            case INBOX_UNREACHABLE -> "The inboxes cannot be reached: pages read the post from the outbox.";
            case NO_INBOX -> noInbox() + ": pages read the post from the outbox, and the next one builds the inbox.";
            case PENDING_FOLLOW ->
                "The follow of " + author + " has not ended: pages read the post from the outbox until it has.";
            case BELOW_FLOOR ->
                "The post is older than the floor of the inbox" + floor() + ": pages read it from the outbox.";
            case OWN_POST -> "The post is " + reader + "'s own, and is in the inbox.";
            case IN_INBOX -> "The inbox of " + reader + " holds the post" + otherTime() + ".";
            case ONLY_IN_INBOX ->
                "The inbox of " + reader + " holds the post, but the outbox of " + author
                        + " does not: refresh removes it.";
            case PULLED -> author + " is pulled" + since() + ": pages read the post from the outbox.";
            case REPAIRED_BY_NEXT_READ -> "The inbox lacks the post, but the next first page adds it.";
            case DEAD_LETTER, PUSH_WAITING, PULL_WAITING -> waiting() + laterPages();
            case MISSING_FROM_INBOX -> missing() + laterPages();
        };
    }

    private String time() {
        return facts.outbox()
                .flatMap(InOutbox::post)
                .map(Post::publishedAt)
                .map(Instant::toString)
                .orElse("its time");
    }

    private String retracted() {
        return tasks().isEmpty() ? "" : "; task " + tasks().get(0).id() + " still has to remove it from inboxes";
    }

    private List<DeliveryTask> tasks() {
        return facts.outbox().map(InOutbox::tasks).orElse(List.of()).stream()
                .map(PostExplainer::task)
                .toList();
    }

    private String pending() {
        return facts.inbox().isPending(author) ? "; a follow or unfollow has not ended" : "";
    }

    private String noInbox() {
        boolean building = facts.inbox().slice().map(Slice::generation).orElse(0L) != 0;
        Window window = facts.inbox().window();
        if (building) {
            return "The inbox of " + reader + " is being built";
        }
        return window.equals(Window.UNKNOWN)
                ? reader + " has no inbox"
                : "The inbox of " + reader + " expired at " + Instant.ofEpochMilli(window.endsAt());
    }

    private String floor() {
        return facts.inbox()
                .slice()
                .map(slice -> ", " + Instant.ofEpochMilli(slice.floor().millis()))
                .orElse("");
    }

    private String otherTime() {
        Optional<Instant> entry = facts.inbox().entry(facts.key()).map(Post::publishedAt);
        Optional<Instant> now = facts.outbox().flatMap(InOutbox::post).map(Post::publishedAt);
        return entry.equals(now) ? "" : ", at its earlier time: refresh corrects it";
    }

    private String since() {
        return pulled.map(each -> " from " + each.oldest() + " to " + each.newest())
                .orElse("");
    }

    private String waiting() {
        return facts.outbox()
                .flatMap(outbox -> PostTasks.awaited(outbox.tasks(), reader))
                .map(PostExplainer::task)
                .map(this::waitingFor)
                .orElse("The post waits for its push: there are too many tasks to find the task of this post.");
    }

    private String missing() {
        return facts.inbox().isPending(author)
                ? "This engine has read the recent posts of " + author + " too early, and reads them again within"
                        + " seconds."
                : "The inbox lacks the post, and no task will deliver it: refresh repairs the inbox.";
    }

    /** While any follow of the reader is pending, only the first page is read from the inbox. */
    private String laterPages() {
        return facts.inbox()
                .slice()
                .flatMap(slice -> slice.pending().stream().sorted().findFirst())
                .map(pending -> " Pages after the first show it, because the follow of " + pending + " has not ended.")
                .orElse("");
    }

    private String waitingFor(DeliveryTask task) {
        String what = switch (task.kind()) {
            case PULL, PUSH_ACTIVE -> "enter the post in the pulled register";
            default -> "deliver the post to " + reader;
        };
        return "Task " + task.id() + " still has to " + what + ": it " + state(task) + ".";
    }

    private static String state(DeliveryTask task) {
        return switch (task.state()) {
            case WAITING -> "waits for a worker since " + task.until();
            case RETRYING -> "is tried again from " + task.until() + " on, after " + failures(task);
            case CLAIMED -> "is claimed by a worker until " + task.until();
            case QUEUED -> "is in the fan-out queue, lent until " + task.until();
            case DEAD ->
                "is a dead letter since " + task.until() + ": " + task.failure().orElse("");
        };
    }

    private static String failures(DeliveryTask task) {
        return task.attempts() > 0
                ? count(task.attempts(), "failure")
                : count(task.outages(), "failure") + " to reach a store";
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
