package io.feedkit.bench.redis.scripts;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.PulledRegister.Update;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Calls about posts, and about posts that are not pushed. */
final class OutboxCalls {

    private static final int PUBLICATIONS = 50;
    private static final int POSTS = 10_000;
    private static final int HEADS = 20;
    private static final int OF_A_HEAD = 30;
    private static final int ENTRIES = 100;
    private static final int LIMIT = 1000;

    private final SlowLog log;
    private final Outbox outbox;
    private int posts;

    OutboxCalls(SlowLog log, Outbox outbox) {
        this.log = log;
        this.outbox = outbox;
    }

    void make(int times) {
        List<String> withHead = List.of("with-head");
        outbox.pulled().put(List.of(Post.of(withHead.get(0), "unpushed", 0)));
        whole();
        for (int n = 0; n < times; n++) {
            outbox.newest(withHead, PositionRange.ALL, 1);
            log.of("50 posts of an author who has a head", () -> append(withHead, PUBLICATIONS));
            List<Post> published = log.of("50 posts of an author", () -> append(List.of("author"), PUBLICATIONS));
            List<PostKey> keys = published.stream().map(Post::key).toList();
            log.of("50 posts of an author looked for", () -> outbox.existing(keys));
            log.of("50 posts of an author deleted", () -> outbox.delete(keys));
            heads("author-of-" + n);
            register(n);
        }
        IntStream.range(0, POSTS / PUBLICATIONS).forEach(i -> append(List.of("author"), PUBLICATIONS));
        for (int n = 0; n < times; n++) {
            PageQuery page = new PageQuery(Set.of("author"), PositionRange.ALL, Order.NEWEST_FIRST, LIMIT);
            log.of("a page of 1000 posts of an author with 10,000", () -> outbox.page(page));
            log.of("the settled mark behind 10,000 tasks", outbox::settledMark);
        }
        log.of("the whole register", this::whole);
    }

    private Update whole() {
        return outbox.pulled().update(Optional.empty(), List.of(), Integer.MAX_VALUE);
    }

    private void heads(String prefix) {
        List<String> authors =
                IntStream.range(0, HEADS).mapToObj(i -> prefix + "-" + i).toList();
        append(authors, OF_A_HEAD);
        outbox.pulled()
                .put(authors.stream()
                        .map(author -> Post.of(author, "unpushed", 0))
                        .toList());
        whole();
        log.of("20 heads made", () -> outbox.newest(authors, PositionRange.ALL, 1));
        log.of("20 heads read", () -> outbox.newest(authors, PositionRange.ALL, 1));
    }

    private void register(int n) {
        PulledRegister register = outbox.pulled();
        List<Post> unpushed = IntStream.range(0, ENTRIES)
                .mapToObj(i -> Post.of("pulled-" + n + "-" + i, "post", n))
                .toList();
        log.of("100 authors entered in the register", () -> register.put(unpushed));
        String author = unpushed.get(0).author();
        Entry entry = register.update(Optional.empty(), List.of(author), 0)
                .entries()
                .getOrDefault(author, Optional.empty())
                .orElseThrow();
        log.of("an author taken off the register", () -> register.remove(author, entry.version()));
        List<PostKey> keys = unpushed.stream().map(Post::key).toList();
        outbox.append(unpushed.stream()
                .map(post -> new Publication(post, FanoutMode.PULL))
                .toList());
        outbox.delete(keys);
        log.of("100 posts retracted for good", () -> register.retracted(keys));
    }

    private List<Post> append(List<String> authors, int each) {
        List<Post> published = authors.stream()
                .flatMap(author -> Stream.generate(() -> next(author)).limit(each))
                .toList();
        outbox.append(published.stream()
                .map(post -> new Publication(post, FanoutMode.PUSH))
                .toList());
        return published;
    }

    private Post next(String author) {
        posts++;
        return Post.of(author, FullInboxes.nextId(posts), 1000L + posts);
    }
}
