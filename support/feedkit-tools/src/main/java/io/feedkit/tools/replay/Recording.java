package io.feedkit.tools.replay;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.tools.servers.FanoutQueues;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Follows and posts in files, for programs that compare a replay with something else. Each method throws an exception
 * at a malformed line, and its message names the line.
 *
 * @param follows the follows, as for {@code --follows}
 * @param posts the posts, as for {@code --posts}
 */
public record Recording(Path follows, Path posts) {

    /**
     * The result of a replay.
     *
     * @param deliveries insertions of posts into inboxes by the fan-out
     * @param took the time from the first post to the end of the fan-out
     */
    public record Replayed(long deliveries, Duration took) {}

    /**
     * Reads the follows.
     *
     * @return each author's followers
     */
    public Map<String, Set<String>> followers() {
        Names names = new Names();
        Map<String, Set<String>> followers = new LinkedHashMap<>();
        new FollowsFile(follows)
                .forEach((reader, author) -> followers
                        .computeIfAbsent(names.user(author), missing -> new LinkedHashSet<>())
                        .add(names.user(reader)));
        return followers;
    }

    /**
     * Reads the posts.
     *
     * @param post receives each post, in the file's order
     */
    public void forEachPost(Consumer<Post> post) {
        Names names = new Names();
        new PostsFile(posts).forEach(event -> {
            if (event instanceof Event.Publish publish) {
                post.accept(names.postOf(publish));
            }
        });
    }

    /**
     * Replays the posts with the command's defaults, and pushes each to all followers.
     *
     * @param store the address of the store, as for {@code --store}
     * @param threads fan-out workers, as for {@code --threads}
     * @param afterwards uses the engine after every reader has read the newest posts
     * @return the result
     */
    public Replayed replay(String store, int threads, Consumer<FeedEngine> afterwards) {
        ReplayOptions options = new ReplayOptions(
                List.of(follows),
                new PostsFile(posts),
                ReplayOptions.POSTS_PER_BATCH,
                FanoutPolicy.push(),
                store,
                Archives.NONE,
                FeedEngineBuilder.DEFAULT_ARCHIVE_AGE,
                Copies.NONE,
                FanoutQueues.NONE,
                FeedEngineBuilder.DEFAULT_CAP,
                ReplayOptions.DEFAULT_PAGE,
                FeedEngineBuilder.DEFAULT_LIVE_WINDOW,
                threads,
                ReplayOptions.DEFAULT_NEWEST,
                false,
                false);
        try (Replay replay = new Replay(options, new Progress(new PrintWriter(Writer.nullWriter())))) {
            Report report = replay.run(afterwards);
            return new Replayed(report.meters().deliveries(), report.replayed());
        }
    }
}
