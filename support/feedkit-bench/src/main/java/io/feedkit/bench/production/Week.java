package io.feedkit.bench.production;

import io.feedkit.Post;
import io.feedkit.bench.Scale;
import io.feedkit.tools.replay.Recording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A recorded week, moved in time so that it ends now. In small, only its first posts, and a tenth of its readers.
 *
 * @param followers the followers of each author
 * @param posts the posts, in the order of time
 */
record Week(Map<String, Set<String>> followers, List<Post> posts) {

    private static final int POSTS_PART = 50;
    private static final int READERS_PART = 10;

    static Week of(Recording recording, Scale scale) {
        boolean whole = isWhole(scale);
        int most = whole ? Integer.MAX_VALUE : scale.followers() / POSTS_PART;
        List<Post> posts = new ArrayList<>();
        recording.forEachPost(post -> {
            if (posts.size() < most) {
                posts.add(post);
            }
        });
        Map<String, Set<String>> followers = whole ? recording.followers() : some(recording.followers());
        long shift = System.currentTimeMillis()
                - posts.get(posts.size() - 1).publishedAt().toEpochMilli();
        return new Week(
                followers,
                posts.stream()
                        .map(post -> Post.of(
                                post.author(), post.id(), post.publishedAt().toEpochMilli() + shift))
                        .toList());
    }

    static boolean isWhole(Scale scale) {
        return scale.followers() >= Scale.FULL.followers();
    }

    private static Map<String, Set<String>> some(Map<String, Set<String>> followers) {
        Map<String, Set<String>> some = new LinkedHashMap<>();
        followers.forEach((author, readers) -> {
            Set<String> kept = new LinkedHashSet<>(readers);
            kept.removeIf(reader -> reader.hashCode() % READERS_PART != 0);
            if (!kept.isEmpty()) {
                some.put(author, kept);
            }
        });
        return some.isEmpty() ? followers : some;
    }

    List<String> readers() {
        return followers.values().stream().flatMap(Set::stream).distinct().toList();
    }
}
