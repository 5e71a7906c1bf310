package io.feedkit.testkit.model;

import io.feedkit.Post;
import io.feedkit.PostKey;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The host's own data: the authors whom readers have muted, and the posts without content. */
final class Host {

    private record Mute(String reader, String author) {}

    private final Set<Mute> mutes = new HashSet<>();
    private final Set<PostKey> gone = new HashSet<>();

    void toggleMute(String reader, String author) {
        Mute mute = new Mute(reader, author);
        if (!mutes.remove(mute)) {
            mutes.add(mute);
        }
    }

    void toggleContent(PostKey key) {
        if (!gone.remove(key)) {
            gone.add(key);
        }
    }

    boolean isShown(String reader, Post post) {
        return !mutes.contains(new Mute(reader, post.author()));
    }

    boolean hasContent(Post post) {
        return !gone.contains(post.key());
    }

    /** The host's filter. */
    List<Post> visible(String reader, List<Post> posts) {
        return posts.stream().filter(post -> isShown(reader, post)).toList();
    }

    /** The host's loader: the content is the post itself. */
    Map<Post, Post> load(Collection<Post> posts) {
        Map<Post, Post> content = new LinkedHashMap<>();
        posts.stream().filter(this::hasContent).forEach(post -> content.put(post, post));
        return content;
    }
}
