package io.feedkit.internal.read;

import io.feedkit.Post;
import io.feedkit.internal.read.PostMerge.Found;
import io.feedkit.internal.read.PostMerge.Run;
import io.feedkit.internal.read.PostMerge.Source;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.NullMarked;

/** Lets benchmarks, which run on the class path, call the engine's merge, which is not public. */
@NullMarked
public final class MergeBridge {

    private final List<Source> sources;
    private final int limit;

    private MergeBridge(List<Source> sources, int limit) {
        this.sources = sources;
        this.limit = limit;
    }

    /**
     * Prepares a merge.
     *
     * @param sources posts, newest first, each source complete to the bottom
     * @param limit the largest number of posts in the result
     * @return the merge
     */
    public static MergeBridge of(List<List<Post>> sources, int limit) {
        return new MergeBridge(
                sources.stream()
                        .map(posts -> new Source(posts, Optional.of(Position.LOWEST)))
                        .toList(),
                limit);
    }

    /**
     * Merges like the engine.
     *
     * @return the run
     */
    public Object merge() {
        return run();
    }

    /**
     * Merges.
     *
     * @return the posts of the run
     */
    public List<Post> merged() {
        return run().found().stream().map(Found::post).toList();
    }

    private Run run() {
        return PostMerge.of(Order.NEWEST_FIRST, sources, limit);
    }
}
