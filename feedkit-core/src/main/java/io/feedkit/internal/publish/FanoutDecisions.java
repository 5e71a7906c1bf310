package io.feedkit.internal.publish;

import static java.util.stream.Collectors.toSet;

import io.feedkit.Post;
import io.feedkit.PublishTransaction;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.host.GuardedCallbacks;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.TransactionalOutbox;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Asks the policy how posts are fanned out, with what it may know about their authors. Thread-safe. */
public final class FanoutDecisions {

    /** The most authors that one question to the stores is about. */
    private static final int AUTHORS_AT_ONCE = 1000;

    private final PolicySwitch policies;
    private final AuthorStatusLookup statuses;
    private final RegisterCache registerCache;

    public FanoutDecisions(PolicySwitch policies, AuthorStatusLookup statuses, RegisterCache registerCache) {
        this.policies = policies;
        this.statuses = statuses;
        this.registerCache = registerCache;
    }

    /** Decides on new posts. */
    List<Publication> decide(List<Post> posts) {
        return decide(policies.current(), posts, statuses.plain());
    }

    /** Decides on new posts within a transaction of the host, on the transaction's thread. */
    List<Publication> decide(List<Post> posts, PublishTransaction transaction, TransactionalOutbox outbox) {
        return decide(policies.currentWithoutAsking(), posts, statuses.within(transaction, outbox));
    }

    private List<Publication> decide(FanoutPolicy decider, List<Post> posts, AuthorStatuses.Source source) {
        AuthorStatuses statuses =
                new AuthorStatuses(source, posts.stream().map(Post::author).collect(toSet()));
        List<Publication> publications = new ArrayList<>(posts.size());
        for (Post post : posts) {
            FanoutMode mode = decide(decider, statuses, post.author());
            publications.add(new Publication(post, isAmongUnpushed(post, mode) ? FanoutMode.PULL : mode));
        }
        return publications;
    }

    /**
     * Whether a post to be pushed is back-dated and lies among its author's unpushed posts. Pages show such a post at
     * once, so it must be pulled as well. Otherwise it would vanish when the author leaves the register before its push
     * is done.
     */
    private boolean isAmongUnpushed(Post post, FanoutMode mode) {
        return mode == FanoutMode.PUSH && registerCache.lastKnown(post.author()).isUnpushed(post);
    }

    /** Decides once for each author. */
    Map<String, FanoutMode> decideOnAuthors(List<Post> posts) {
        FanoutPolicy decider = policies.current();
        List<String> authors = posts.stream().map(Post::author).distinct().toList();
        Map<String, FanoutMode> modes = new HashMap<>();
        for (int from = 0; from < authors.size(); from += AUTHORS_AT_ONCE) {
            List<String> piece = authors.subList(from, Math.min(authors.size(), from + AUTHORS_AT_ONCE));
            AuthorStatuses known = new AuthorStatuses(statuses.plain(), Set.copyOf(piece));
            piece.forEach(author -> modes.put(author, decide(decider, known, author)));
        }
        return modes;
    }

    /**
     * The authors whose posts are pulled: by the policy, or because a post lies among the author's unpushed ones, as in
     * {@link #isAmongUnpushed}. Most imported posts are old, so this uses the current register, and not its last known
     * state.
     */
    Set<String> pulled(List<Post> posts, Map<String, FanoutMode> modes) {
        Set<String> authors = posts.stream().map(Post::author).collect(toSet());
        RegisterView known = registerCache.current(authors);
        return posts.stream()
                .filter(post -> modes.get(post.author()) != FanoutMode.PUSH || known.isUnpushed(post))
                .map(Post::author)
                .collect(toSet());
    }

    private static FanoutMode decide(FanoutPolicy decider, AuthorStatuses statuses, String author) {
        return GuardedCallbacks.call("policy", () -> decider.decide(statuses.of(author)));
    }
}
