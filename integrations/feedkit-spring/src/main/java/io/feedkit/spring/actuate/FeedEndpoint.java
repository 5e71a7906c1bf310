package io.feedkit.spring.actuate;

import io.feedkit.Beta;
import io.feedkit.FeedEngine;
import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.DeadLetter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The actuator endpoint {@code feedkit}: the backlog, dead letters and policies of the engine. It can only be read,
 * unless {@code management.endpoint.feedkit.access} is {@code unrestricted}.
 *
 * <pre>
 * GET    /actuator/feedkit                     backlog, the policy in use, names of policies
 * GET    /actuator/feedkit/dead-letters        the first hundred dead letters
 * GET    /actuator/feedkit/dead-letters/ID     the hundred after this one
 * POST   /actuator/feedkit/dead-letters        replays the first hundred
 * POST   /actuator/feedkit/dead-letters/ID     replays one
 * DELETE /actuator/feedkit/dead-letters/ID     discards one
 * POST   /actuator/feedkit/policy/NAME         switches all engines to a named policy
 * DELETE /actuator/feedkit/policy              each engine uses its own policy again
 * </pre>
 *
 * @since 0.1.0
 */
@Beta
@Endpoint(id = "feedkit", defaultAccess = Access.READ_ONLY)
public final class FeedEndpoint {

    private static final String DEAD_LETTERS = "dead-letters";
    private static final String POLICY = "policy";
    private static final String OWN_POLICY = "each engine's own";
    private static final int AT_ONCE = 100;

    private final FeedEngine feed;
    private final Set<String> policies;

    /**
     * Creates the endpoint of an engine.
     *
     * @param feed the engine
     * @param policies the names of policies to which all engines can be switched
     */
    public FeedEndpoint(FeedEngine feed, Set<String> policies) {
        this.feed = Objects.requireNonNull(feed, "feed must not be null");
        this.policies = Set.copyOf(policies);
    }

    /**
     * Shows the backlog, the policy that all engines use, and the names of policies.
     *
     * @return a JSON object
     */
    @ReadOperation
    public Map<String, Object> state() {
        Backlog backlog = feed.fanout().backlog();
        Map<String, Object> state = new LinkedHashMap<>();
        Map<String, Object> tasks = new LinkedHashMap<>();
        tasks.put("age", backlog.age().toString());
        tasks.put("due", backlog.due());
        tasks.put("deferred", backlog.deferred());
        tasks.put("lent", backlog.lent());
        tasks.put("deadLetters", backlog.deadLetters());
        Map<String, Long> kinds = new TreeMap<>();
        backlog.byKind().forEach((kind, count) -> kinds.put(kind.name(), count));
        tasks.put("byKind", kinds);
        state.put("backlog", tasks);
        state.put(POLICY, feed.policyOnAllEngines().orElse(OWN_POLICY));
        state.put("policies", policies.stream().sorted().toList());
        return state;
    }

    /**
     * Shows the first dead letters.
     *
     * @param part must be {@code dead-letters}
     * @return a JSON object; status 404 if there is no such part
     */
    @ReadOperation
    public WebEndpointResponse<Map<String, Object>> show(@Selector String part) {
        return part.equals(DEAD_LETTERS)
                ? new WebEndpointResponse<>(shown(feed.fanout().deadLetters(AT_ONCE)))
                : unknown(part);
    }

    /**
     * Shows further dead letters.
     *
     * @param part must be {@code dead-letters}
     * @param name the id of the last dead letter that was shown
     * @return a JSON object; status 404 if there is no such part
     */
    @ReadOperation
    public WebEndpointResponse<Map<String, Object>> showAfter(@Selector String part, @Selector String name) {
        return part.equals(DEAD_LETTERS)
                ? checked(() -> shown(feed.fanout().deadLetters(name, AT_ONCE)))
                : unknown(part);
    }

    private static Map<String, Object> shown(List<DeadLetter> letters) {
        return Map.of("deadLetters", letters.stream().map(FeedEndpoint::shown).toList());
    }

    private static Map<String, Object> shown(DeadLetter letter) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", letter.id());
        shown.put("kind", letter.kind().name());
        shown.put("author", letter.author());
        letter.post().ifPresent(post -> shown.put("post", post.id()));
        shown.put("attempts", letter.attempts());
        shown.put("reason", letter.reason());
        shown.put("died", letter.died().toString());
        return shown;
    }

    /**
     * Replays the first dead letters.
     *
     * @param part must be {@code dead-letters}
     * @return a JSON object; status 404 if there is no such part
     */
    @WriteOperation
    public WebEndpointResponse<Map<String, Object>> replay(@Selector String part) {
        if (!part.equals(DEAD_LETTERS)) {
            return unknown(part);
        }
        List<String> ids =
                feed.fanout().deadLetters(AT_ONCE).stream().map(DeadLetter::id).toList();
        return new WebEndpointResponse<>(Map.of("replayed", feed.fanout().replay(ids)));
    }

    /**
     * Replays one dead letter, or switches the policy of all engines.
     *
     * @param part {@code dead-letters} or {@code policy}
     * @param name the id of the dead letter, or the name of the policy
     * @return a JSON object; status 404 if there is no such part, 400 if the name is illegal
     */
    @WriteOperation
    public WebEndpointResponse<Map<String, Object>> change(@Selector String part, @Selector String name) {
        return switch (part) {
            case DEAD_LETTERS -> checked(() -> Map.of("replayed", feed.fanout().replay(List.of(name))));
            case POLICY ->
                checked(() -> {
                    feed.usePolicyOnAllEngines(name);
                    return Map.of(POLICY, name);
                });
            default -> unknown(part);
        };
    }

    /**
     * Ends the switch of the policy.
     *
     * @param part must be {@code policy}
     * @return a JSON object; status 404 if there is no such part
     */
    @DeleteOperation
    public WebEndpointResponse<Map<String, Object>> reset(@Selector String part) {
        if (!part.equals(POLICY)) {
            return unknown(part);
        }
        feed.useOwnPolicyOnAllEngines();
        return new WebEndpointResponse<>(Map.of(POLICY, OWN_POLICY));
    }

    /**
     * Discards one dead letter.
     *
     * @param part must be {@code dead-letters}
     * @param name the id of the dead letter
     * @return a JSON object; status 404 if there is no such part, 400 if the id is illegal
     */
    @DeleteOperation
    public WebEndpointResponse<Map<String, Object>> discard(@Selector String part, @Selector String name) {
        return part.equals(DEAD_LETTERS)
                ? checked(() -> Map.of("discarded", feed.fanout().discard(List.of(name))))
                : unknown(part);
    }

    private static WebEndpointResponse<Map<String, Object>> unknown(String part) {
        return refused(
                "there is no such operation on " + part + "; the parts are " + DEAD_LETTERS + " and " + POLICY,
                WebEndpointResponse.STATUS_NOT_FOUND);
    }

    /** Answers illegal names with "bad request". */
    private static WebEndpointResponse<Map<String, Object>> checked(Supplier<Map<String, Object>> operation) {
        try {
            return new WebEndpointResponse<>(operation.get());
        } catch (IllegalArgumentException e) {
            return refused(String.valueOf(e.getMessage()), WebEndpointResponse.STATUS_BAD_REQUEST);
        }
    }

    private static WebEndpointResponse<Map<String, Object>> refused(String reason, int status) {
        return new WebEndpointResponse<>(Map.of("error", reason), status);
    }
}
