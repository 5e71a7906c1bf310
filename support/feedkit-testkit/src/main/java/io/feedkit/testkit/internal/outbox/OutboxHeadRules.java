package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.Outbox.AuthorHead;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which posts there are, and what is known of an outbox at a glance. */
public abstract class OutboxHeadRules extends OutboxRules {

    protected OutboxHeadRules(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("those posts exist that were published and not deleted")
    void existing() {
        outbox.publish(posts("bob", 2));
        outbox.publish(post("amy", 1));
        outbox.delete(post("bob", 2).key());
        PostKey stays = post("bob", 1).key();
        PostKey amys = post("amy", 1).key();
        assertThat(outbox.outbox()
                        .existing(List.of(
                                post("bob", 2).key(),
                                stays,
                                new PostKey("bob", "unseen"),
                                amys,
                                stays,
                                new PostKey("unknown", "p0001"))))
                .containsExactlyInAnyOrder(stays, amys);
        assertThat(outbox.outbox().existing(List.of())).isEmpty();
    }

    @Test
    @DisplayName("a head counts the posts, and shows as many of the newest as asked for")
    void heads() {
        outbox.publish(shuffled(posts("bob", 9), 1));
        for (int newest : List.of(0, 1, 3, 9, 10)) {
            AuthorHead head = outbox.head("bob", newest);
            assertThat(head.count()).isEqualTo(9);
            assertThat(head.newest()).isEqualTo(newestFirst(posts("bob", 9)).subList(0, Math.min(9, newest)));
        }
    }

    @Test
    @DisplayName("there is a head for each author who ever published, and for nobody else")
    void onlyPublishers() {
        outbox.publish(post("bob", 1), post("amy", 1));
        outbox.delete(new PostKey("silent", "unseen"));
        assertThat(outbox.outbox().heads(List.of("amy", "unknown", "bob", "silent", "amy"), 1))
                .containsOnlyKeys("amy", "bob");
        assertThat(outbox.outbox().heads(List.of(), 1)).isEmpty();
    }

    @Test
    @DisplayName("lastAppended is the time of the latest append by the store's clock, whatever time the post carries")
    void lastAppended() {
        long before = kit.now();
        outbox.publish(post("bob", 2));
        long after = kit.now();
        assertThat(outbox.head("bob", 0).lastAppended()).isBetween(before, after);
        kit.tick();
        long backdated = kit.now();
        outbox.publish(post("bob", 1));
        assertThat(outbox.head("bob", 0).lastAppended()).isBetween(backdated, kit.now());
    }

    @Test
    @DisplayName("neither an append that changes nothing nor a deletion moves lastAppended")
    void lastAppendedStays() {
        outbox.publish(posts("bob", 2));
        long appended = outbox.head("bob", 0).lastAppended();
        kit.tick();
        outbox.append(post("bob", 1));
        outbox.delete(post("bob", 2).key());
        outbox.append(post("bob", 2));
        assertThat(outbox.head("bob", 0).lastAppended()).isEqualTo(appended);
    }

    @Test
    @DisplayName("an author all of whose posts are deleted still has a head")
    void emptyHead() {
        Post post = post("bob", 1);
        outbox.publish(post);
        outbox.delete(post.key());
        AuthorHead head = outbox.head("bob", 3);
        assertThat(head.count()).isZero();
        assertThat(head.newest()).isEmpty();
        assertThat(head.lastAppended()).isPositive();
    }

    @Test
    @DisplayName("appends and deletions that change nothing are not counted")
    void countIsExact() {
        outbox.publish(posts("bob", 5));
        outbox.append(post("bob", 1));
        outbox.delete(post("bob", 1).key());
        outbox.delete(post("bob", 1).key());
        outbox.delete(post("bob", 77).key());
        outbox.append(post("bob", 1));
        assertThat(outbox.head("bob", 0).count()).isEqualTo(4);
    }
}
