package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which posts exist, how many there are, and when the last one was appended. */
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
    @DisplayName("each author's posts are counted")
    void counts() {
        outbox.publish(shuffled(posts("bob", 9), 1));
        outbox.publish(post("amy", 1));
        assertThat(outbox.outbox().counts(List.of("amy", "bob")))
                .containsExactlyInAnyOrderEntriesOf(Map.of("amy", 1L, "bob", 9L));
    }

    @Test
    @DisplayName("those are counted who have posts, and those have a last append who ever published")
    void onlyPublishers() {
        outbox.publish(post("bob", 1), post("amy", 1), post("gone", 1));
        outbox.delete(new PostKey("silent", "unseen"));
        outbox.delete(post("gone", 1).key());
        List<String> authors = List.of("amy", "unknown", "bob", "silent", "amy", "gone");
        assertThat(outbox.outbox().counts(authors)).containsOnlyKeys("amy", "bob");
        assertThat(outbox.outbox().lastAppended(authors)).containsOnlyKeys("amy", "bob", "gone");
        assertThat(outbox.outbox().counts(List.of())).isEmpty();
        assertThat(outbox.outbox().lastAppended(List.of())).isEmpty();
    }

    @Test
    @DisplayName("lastAppended is the time of the latest append by the store's clock, whatever time the post carries")
    void lastAppended() {
        long before = kit.now();
        outbox.publish(post("bob", 2));
        long after = kit.now();
        assertThat(outbox.lastAppended("bob")).isBetween(before, after);
        kit.tick();
        long backdated = kit.now();
        outbox.publish(post("bob", 1));
        assertThat(outbox.lastAppended("bob")).isBetween(backdated, kit.now());
    }

    @Test
    @DisplayName("neither an append that changes nothing nor a deletion moves lastAppended")
    void lastAppendedStays() {
        outbox.publish(posts("bob", 2));
        long appended = outbox.lastAppended("bob");
        kit.tick();
        outbox.append(post("bob", 1));
        outbox.delete(post("bob", 2).key());
        outbox.append(post("bob", 2));
        assertThat(outbox.lastAppended("bob")).isEqualTo(appended);
    }

    @Test
    @DisplayName("an author all of whose posts are deleted still has a last append")
    void lastAppendedOutlivesPosts() {
        Post post = post("bob", 1);
        outbox.publish(post);
        long appended = outbox.lastAppended("bob");
        outbox.delete(post.key());
        assertThat(outbox.count("bob")).isZero();
        assertThat(outbox.lastAppended("bob")).isEqualTo(appended);
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
        assertThat(outbox.count("bob")).isEqualTo(4);
    }
}
