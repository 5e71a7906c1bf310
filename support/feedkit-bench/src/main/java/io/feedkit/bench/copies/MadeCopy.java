package io.feedkit.bench.copies;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Published;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryInboxCopies;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.InboxCopies.Head;
import io.feedkit.spi.InboxCopies.Part;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A copy that an engine has made.
 *
 * @param head its head
 * @param parts its parts
 * @param posts its posts, newest first
 */
record MadeCopy(Head head, List<Part> parts, List<Post> posts) {

    static final long LIFETIME_MILLIS = Duration.ofDays(30).toMillis();

    private static final String READER = "reader";
    private static final int AUTHORS = 100;
    private static final Duration STEP = Duration.ofMinutes(10);

    /** Copies the inbox of a reader of a hundred authors. */
    static MadeCopy of(int depth) {
        InboxCopies copies = InMemoryInboxCopies.create(Clock.systemUTC());
        List<Post> posts = new ArrayList<>();
        Instant time = Instant.now().minus(STEP.multipliedBy(depth + 1L));
        for (int i = 0; i < depth; i++) {
            time = time.plus(STEP);
            posts.add(new Post(
                    "author%06d".formatted(i * 37 % AUTHORS), "%013d%06d".formatted(time.toEpochMilli(), i), time));
        }
        try (FeedEngine engine = FeedEngine.builder(InMemoryFeedStore.create())
                .workers(0)
                .inboxCopies(copies)
                .copying(settings -> settings.depth(depth))
                .build()) {
            List<Published> unusedPosts = engine.importPosts(posts);
            List<Boolean> unusedFollows = engine.followAll(
                    READER, posts.stream().map(Post::author).distinct().toList());
            FeedPage<Post> unusedPage = engine.read(READER, PageRequest.first(1));
        }
        Head head = copies.heads(List.of(READER)).get(0).orElseThrow();
        Collections.reverse(posts);
        return new MadeCopy(head, copies.parts(List.of(head)).get(0), posts);
    }

    /** The bytes of the head and the parts. */
    int bytes() {
        return head.content().length
                + parts.stream().mapToInt(part -> part.content().length).sum();
    }

    /** The bytes of the authors, ids and times of all posts. */
    int plainBytes() {
        return posts.stream()
                .mapToInt(post -> post.author().length() + post.id().length() + Long.BYTES)
                .sum();
    }

    /** Writes the copy for another reader, as an engine does. */
    void write(InboxCopies copies, String reader, long token) {
        copies.store(
                parts.stream()
                        .map(part -> new Part(reader, token, part.number(), part.content()))
                        .toList(),
                LIFETIME_MILLIS);
        copies.publish(List.of(new Head(reader, token, head.content())), LIFETIME_MILLIS);
    }

    /** Reads the copy of a reader. */
    static List<Part> read(InboxCopies copies, String reader) {
        Head found = copies.heads(List.of(reader)).get(0).orElseThrow();
        return copies.parts(List.of(found)).get(0);
    }
}
