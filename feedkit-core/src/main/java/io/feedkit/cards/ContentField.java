package io.feedkit.cards;

import io.feedkit.Post;
import io.feedkit.PostLoader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The field of the content. */
final class ContentField<V> extends CardField<V> {

    private final PostLoader<V> loader;

    ContentField(PostLoader<V> loader) {
        this.loader = loader;
    }

    /** Loads cards that have content only; posts without content are left out. */
    Map<Post, Card> cards(List<Post> posts) {
        Map<Post, V> content = loader.load(posts);
        Map<Post, Card> cards = new HashMap<>();
        for (Post post : posts) {
            V value = content.get(post);
            if (value != null) {
                cards.put(post, new Card(post, Set.of(this), Map.of(this, value), Set.of()));
            }
        }
        return cards;
    }

    @Override
    int wave() {
        return 0;
    }

    @Override
    Optional<V> fallback() {
        return Optional.empty();
    }

    @Override
    String name() {
        return "content";
    }
}
