package io.feedkit.internal.engine;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.feedkit.PostKey;
import io.feedkit.health.Health;
import io.feedkit.health.Health.Answer;
import io.feedkit.health.Health.Part;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.CountQuery;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PostArchive;
import io.feedkit.spi.SeenMarks;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Checks each part of a store with a call that changes nothing. Each call runs on its own daemon thread, because a
 * store may hang. A part has at most one such call at a time, no matter how often it is checked. Thread-safe.
 */
public final class HealthCheck {

    /** A user of whom a store usually knows nothing. */
    private static final String NOBODY = "feedkit-check";

    /**
     * Ids for graphs on a host's table, whose ids may be numbers or UUIDs. Such a graph may send no query for an id
     * that the table cannot have.
     */
    private static final List<String> NOBODY_IN_GRAPHS = List.of("0", "00000000-0000-0000-0000-000000000000");

    private record Question(long start, CompletableFuture<Answer> answer) {

        Duration elapsed() {
            return Duration.ofNanos(System.nanoTime() - start);
        }
    }

    private final String name;
    private final Map<Part, Runnable> calls = new EnumMap<>(Part.class);
    private final Map<Part, Question> open = new EnumMap<>(Part.class);

    HealthCheck(
            String name,
            Outbox outbox,
            Inbox inbox,
            FollowGraph graph,
            SeenMarks seenMarks,
            Optional<PostArchive> archive) {
        this.name = name;
        List<PostKey> none = List.of(new PostKey(NOBODY, NOBODY));
        calls.put(Part.OUTBOX, () -> outbox.existing(none));
        calls.put(Part.INBOX, () -> inbox.count(List.of(new CountQuery(NOBODY, Position.LOWEST, 1, Map.of()))));
        calls.put(Part.FOLLOW_GRAPH, () -> NOBODY_IN_GRAPHS.forEach(user -> graph.followed(user, List.of(user))));
        calls.put(Part.SEEN_MARKS, () -> seenMarks.lastSeen(List.of(NOBODY)));
        archive.ifPresent(cold -> calls.put(Part.ARCHIVE, () -> cold.existing(none)));
    }

    /** Checks all parts, and waits for their answers no longer than the limit. */
    public Health check(Duration limit) {
        long start = System.nanoTime();
        Map<Part, Question> asked = new EnumMap<>(Part.class);
        calls.forEach((part, call) -> asked.put(part, ask(part, call)));
        Map<Part, Answer> answers = new EnumMap<>(Part.class);
        asked.forEach((part, question) -> answers.put(part, await(question, limit, start)));
        return Health.of(answers);
    }

    private synchronized Question ask(Part part, Runnable call) {
        Question asked = open.get(part);
        if (asked != null && !asked.answer().isDone()) {
            return asked;
        }
        Question question = new Question(System.nanoTime(), new CompletableFuture<>());
        open.put(part, question);
        Thread thread = new Thread(() -> answer(question, call), name + "-check-" + part);
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (Throwable e) {
            question.answer().complete(Answer.down(question.elapsed(), e.toString()));
        }
        return question;
    }

    private static void answer(Question question, Runnable call) {
        Answer answer;
        try {
            call.run();
            answer = Answer.up(question.elapsed());
        } catch (Throwable e) {
            // This includes a checked exception that a host's graph throws without declaring it.
            answer = Answer.down(question.elapsed(), e.toString());
        }
        question.answer().complete(answer);
    }

    private static Answer await(Question question, Duration limit, long start) {
        try {
            return question.answer().get(limit.toNanos() - (System.nanoTime() - start), NANOSECONDS);
        } catch (TimeoutException e) {
            return Answer.down(question.elapsed(), "no answer within " + limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.down(question.elapsed(), "the check was interrupted");
        } catch (ExecutionException e) {
            throw new AssertionError("questions are completed with answers", e);
        }
    }
}
