package io.feedkit.tools.migrate;

import io.feedkit.Post;
import io.feedkit.tools.input.InputFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Recorded follows and posts.
 *
 * @param followees the authors whom each reader follows
 * @param followers the readers of each author
 * @param posts the posts in the order of their times
 */
record RecordedFeed(Map<String, List<String>> followees, Map<String, List<String>> followers, List<Post> posts) {

    /** Reads a file of {@code follower followee} lines and one of {@code epochSeconds author} lines. */
    static RecordedFeed read(Path followsFile, Path postsFile) {
        Map<String, List<String>> followees = new TreeMap<>();
        Map<String, List<String>> followers = new LinkedHashMap<>();
        new InputFile(followsFile).forEach(line -> {
            String reader = Long.toString(line.integer("follower"));
            String author = Long.toString(line.integer("followee"));
            line.end();
            if (!reader.equals(author)) {
                followees.computeIfAbsent(reader, id -> new ArrayList<>()).add(author);
                followers.computeIfAbsent(author, id -> new ArrayList<>()).add(reader);
            }
        });
        List<Post> posts = new ArrayList<>();
        new InputFile(postsFile).forEach(line -> {
            long seconds = line.integer("time in seconds", Post.LATEST.getEpochSecond());
            String author = Long.toString(line.integer("author"));
            line.end();
            posts.add(Post.of(author, String.format("%07d", line.number() - 1), seconds * 1000));
        });
        return new RecordedFeed(followees, followers, posts);
    }

    int follows() {
        return followees.values().stream().mapToInt(List::size).sum();
    }
}
