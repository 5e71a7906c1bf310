package io.feedkit.bench.core;

import io.feedkit.Post;
import io.feedkit.internal.read.MergeBridge;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The newest posts of an inbox, and the recent posts (heads) of pulled authors, 50 each, evenly mixed in time, newest
 * first.
 */
public final class MergeInput {

    private static final int LIMIT = ReaderFeed.PAGE + 1;
    private static final int HEAD = 50;
    private static final long NEWEST = 1_700_000_000_000L;
    private static final long STEP = 1000;

    private final List<List<Post>> sources;
    private final MergeBridge bridge;

    private MergeInput(List<List<Post>> sources) {
        this.sources = sources;
        this.bridge = MergeBridge.of(sources, LIMIT);
    }

    /**
     * Makes posts.
     *
     * @param heads how many pulled authors
     * @return the input
     */
    public static MergeInput of(int heads) {
        List<List<Post>> sources = new ArrayList<>();
        sources.add(posts("inbox", LIMIT, 0));
        for (int i = 0; i < heads; i++) {
            sources.add(posts("pulled-" + i, HEAD, i + 1));
        }
        return new MergeInput(sources);
    }

    private static List<Post> posts(String author, int count, int offset) {
        return IntStream.range(0, count)
                .mapToObj(i -> Post.of(author, String.format("%09d", count - i), NEWEST - offset - i * STEP))
                .toList();
    }

    /**
     * Merges.
     *
     * @return the engine's own result
     */
    public Object merge() {
        return bridge.merge();
    }

    /**
     * Gets the same result by concatenating and sorting.
     *
     * @return the newest posts
     */
    public List<Post> concatenateAndSort() {
        return sources.stream()
                .flatMap(List::stream)
                .sorted((a, b) -> Position.compare(b, a))
                .distinct()
                .limit(LIMIT)
                .toList();
    }

    List<Post> merged() {
        return bridge.merged();
    }
}
