package io.feedkit.cards;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.Cursor;
import io.feedkit.Post;
import io.feedkit.counter.Counters;
import io.feedkit.counter.Reactions;
import io.feedkit.internal.check.Ids;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Parts for counters, reactions and the unread mark. Each has a fallback, and one call for up to a thousand cards is
 * one call to its store. To show the numbers of posts, use the ids that the host counts under, usually
 * {@code by(Post::id)}.
 *
 * @since 0.1.0
 */
@Beta
public final class CardParts {

    private CardParts() {}

    /**
     * Values of counters by id; {@code 0} unless loaded.
     *
     * @param type the counters' type, which is also the part's name
     * @param counters the counters
     * @return the part
     * @throws IllegalArgumentException if an argument is null, or the type is not legal
     */
    public static CardPart<String, Long> counter(String type, Counters counters) {
        Ids.require("type", type);
        nonNull("counters", counters);
        return numbers(type, ids -> counters.get(type, ids));
    }

    /**
     * Numbers of reactions by post, such as likes; {@code 0} unless loaded.
     *
     * @param name the part's name
     * @param reactions the reactions
     * @return the part
     * @throws IllegalArgumentException if an argument is null, or the name is not legal
     */
    public static CardPart<String, Long> reactions(String name, Reactions reactions) {
        nonNull("reactions", reactions);
        return numbers(name, reactions::get);
    }

    private static CardPart<String, Long> numbers(String name, Function<List<String>, List<Long>> numbers) {
        return CardPart.of(name, (Set<String> ids) -> inOrder(List.copyOf(ids), numbers))
                .orElse(0L);
    }

    private static Map<String, Long> inOrder(List<String> ids, Function<List<String>, List<Long>> numbers) {
        List<Long> counted = numbers.apply(ids);
        Map<String, Long> byId = new HashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            byId.put(ids.get(i), counted.get(i));
        }
        return byId;
    }

    /**
     * Whether the reader has reacted to a post, such as "liked by me", by post; false unless loaded.
     *
     * @param name the part's name
     * @param reactions the reactions
     * @return the part
     * @throws IllegalArgumentException if an argument is null, or the name is not legal
     */
    public static CardPart<String, Boolean> reacted(String name, Reactions reactions) {
        nonNull("reactions", reactions);
        return CardPart.forReader(name, (String reader, Set<String> posts) -> {
                    Set<String> reacted = reactions.reacted(reader, List.copyOf(posts));
                    return mapped(posts, reacted::contains);
                })
                .orElse(false);
    }

    /**
     * Whether a post is unread, as {@link io.feedkit.FeedEngine#unread(String)} counts: it is above the reader's seen
     * mark, and not the reader's own; false unless loaded. Use it with {@code by(post -> post)}.
     *
     * @param name the part's name
     * @param seenMark returns a reader's mark: {@code feed::seenMark}
     * @return the part
     * @throws IllegalArgumentException if an argument is null, or the name is not legal
     */
    public static CardPart<Post, Boolean> unread(String name, Function<String, Optional<Cursor>> seenMark) {
        nonNull("seenMark", seenMark);
        return CardPart.forReader(name, (String reader, Set<Post> posts) -> {
                    Optional<Cursor> mark = seenMark.apply(reader);
                    return mapped(
                            posts,
                            post -> !post.author().equals(reader)
                                    && mark.filter(seen -> seen.covers(post)).isEmpty());
                })
                .orElse(false);
    }

    private static <K, V> Map<K, V> mapped(Set<K> keys, Function<K, V> value) {
        Map<K, V> mapped = new HashMap<>();
        keys.forEach(key -> mapped.put(key, value.apply(key)));
        return mapped;
    }
}
