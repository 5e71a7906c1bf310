package io.feedkit.testkit.internal.inbox;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Removal;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Position;
import io.feedkit.testkit.internal.Samples;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Removal of posts: one post from the inboxes of many readers, or one author's posts from one inbox. */
public abstract class InboxRemovalRules extends InboxRules {

    protected InboxRemovalRules(InboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("a retraction removes the post from live and building inboxes, and nothing else")
    void retract() {
        inbox.live("live");
        long generation = inbox.build("building");
        for (String reader : List.of("live", "building")) {
            inbox.deliver(reader, posts("bob", 3));
        }
        inbox.inbox().retract(List.of(new Retraction(post("bob", 2), List.of("live", "building"))));
        inbox.complete("building", generation);
        for (String reader : List.of("live", "building")) {
            assertThat(inbox.posts(reader)).containsExactly(post("bob", 3), post("bob", 1));
            assertThat(inbox.floor(reader)).isEqualTo(Position.LOWEST);
        }
    }

    @Test
    @DisplayName("only the named readers lose the post")
    void onlyThoseReaders() {
        inbox.live("ann");
        inbox.live("cid");
        for (String reader : List.of("ann", "cid")) {
            inbox.deliver(reader, posts("bob", 3));
        }
        inbox.inbox()
                .retract(List.of(
                        new Retraction(post("bob", 1), List.of("ann")),
                        new Retraction(post("bob", 3), List.of("cid", "ann")),
                        new Retraction(post("bob", 2), List.of())));
        assertThat(inbox.posts("ann")).containsExactly(post("bob", 2));
        assertThat(inbox.posts("cid")).containsExactly(post("bob", 2), post("bob", 1));
    }

    @Test
    @DisplayName("a post of another author with the same id stays")
    void sameIdOtherAuthor() {
        inbox.live(READER);
        Post bobs = Post.of("bob", "1", Samples.EPOCH);
        Post amys = Post.of("amy", "1", Samples.EPOCH);
        inbox.deliver(READER, List.of(bobs, amys));
        inbox.retract(READER, bobs);
        assertThat(inbox.posts(READER)).containsExactly(amys);
    }

    @Test
    @DisplayName(
            "a retraction is idempotent, and accepts posts never delivered, repeated readers and readers without an"
                    + " inbox")
    void retractIsIdempotent() {
        inbox.live(READER);
        inbox.deliver(READER, posts("bob", 2));
        inbox.inbox().retract(List.of());
        inbox.inbox().retract(List.of(new Retraction(post("bob", 1), List.of(READER, "nobody", READER))));
        inbox.retract(READER, post("bob", 1));
        inbox.retract(READER, post("bob", 7));
        inbox.retract(READER, post("amy", 2));
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 2));
        assertThat(inbox.state("nobody")).isEqualTo(State.ABSENT);
    }

    @Test
    @DisplayName("a retracted post can be delivered again")
    void deliveredAgain() {
        inbox.live(READER);
        inbox.deliver(READER, post("bob", 1));
        inbox.retract(READER, post("bob", 1));
        assertThat(inbox.deliver(READER, post("bob", 1))).isEqualTo(Outcome.ADDED);
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 1));
    }

    @Test
    @DisplayName("a retraction removes the post at its time, and no entry of the same post at another time")
    void retractOnePlace() {
        inbox.live(READER);
        Post moved = Post.of("bob", post("bob", 2).id(), Samples.EPOCH + 7);
        inbox.deliver(READER, posts("bob", 3));
        inbox.deliver(READER, moved);
        inbox.retract(READER, post("bob", 2));
        assertThat(inbox.posts(READER)).containsExactly(moved, post("bob", 3), post("bob", 1));
    }

    @Test
    @DisplayName("a removal removes the post at all times from live and building inboxes, and nothing else")
    void remove() {
        inbox.live("live");
        inbox.live("other");
        long generation = inbox.build("building");
        Post wanted = Post.of("bob", "7", Samples.EPOCH);
        List<Post> others = List.of(
                Post.of("bob", "77", Samples.EPOCH + 3),
                Post.of("amy", "7", Samples.EPOCH + 2),
                Post.of("bo", "7", Samples.EPOCH + 1),
                Post.of("bob", "007", Samples.EPOCH));
        for (String reader : List.of("live", "building", "other")) {
            inbox.deliver(reader, others);
            inbox.deliver(reader, List.of(wanted, Post.of("bob", "7", Samples.EPOCH + 2)));
        }
        for (int i = 0; i < 2; i++) {
            inbox.inbox().remove(List.of(new Removal(wanted.key(), List.of("live", "nobody", "building", "live"))));
        }
        inbox.inbox().remove(List.of(new Removal(new PostKey("bob", "unseen"), List.of("live"))));
        inbox.inbox().remove(List.of());
        inbox.complete("building", generation);
        for (String reader : List.of("live", "building")) {
            assertThat(inbox.posts(reader)).isEqualTo(others);
            assertThat(inbox.floor(reader)).isEqualTo(Position.LOWEST);
        }
        assertThat(inbox.posts("other")).hasSize(6);
        assertThat(inbox.state("nobody")).isEqualTo(State.ABSENT);
    }

    @Test
    @DisplayName("a removal reaches entries that are stored beyond the cap, and keeps the number of entries right")
    void removeBeyondCap() {
        InboxDriver view = withCap(16);
        view.live(READER);
        view.deliver(READER, posts("bob", 18));
        view.inbox()
                .remove(List.of(
                        new Removal(post("bob", 1).key(), List.of(READER)),
                        new Removal(post("bob", 18).key(), List.of(READER))));
        assertThat(view.posts(READER)).hasSize(16).doesNotContain(post("bob", 1), post("bob", 18));
        assertThat(view.deliver(READER, post("bob", 1))).isEqualTo(Outcome.ADDED);
    }

    @Test
    @DisplayName("a retraction reaches entries that are stored beyond the cap")
    void retractBeyondCap() {
        InboxDriver view = withCap(16);
        view.live(READER);
        view.deliver(READER, posts("bob", 18));
        view.retract(READER, post("bob", 1));
        view.retract(READER, post("bob", 18));
        assertThat(view.posts(READER)).hasSize(16).doesNotContain(post("bob", 1), post("bob", 18));
        assertThat(view.deliver(READER, post("bob", 1))).isEqualTo(Outcome.ADDED);
    }

    @Test
    @DisplayName("a purge removes every entry of one author, from live and building inboxes, and nothing else")
    void purge() {
        inbox.live("live");
        long generation = inbox.build("building");
        for (String reader : List.of("live", "building")) {
            inbox.deliver(reader, posts("bob", 5));
            inbox.deliver(reader, posts("amy", 2));
            assertThat(inbox.purge(reader, "bob", inbox.epoch(reader))).isTrue();
        }
        inbox.complete("building", generation);
        for (String reader : List.of("live", "building")) {
            assertThat(inbox.posts(reader)).containsExactly(post("amy", 2), post("amy", 1));
            assertThat(inbox.floor(reader)).isEqualTo(Position.LOWEST);
        }
    }

    @Test
    @DisplayName("a purge does not change the epoch, and can be repeated")
    void purgeAgain() {
        inbox.live(READER);
        inbox.deliver(READER, posts("bob", 2));
        long epoch = inbox.epoch(READER);
        assertThat(inbox.purge(READER, "bob", epoch)).isTrue();
        assertThat(inbox.purge(READER, "bob", epoch)).isTrue();
        assertThat(inbox.purge(READER, "stranger", epoch)).isTrue();
        assertThat(inbox.epoch(READER)).isEqualTo(epoch);
    }

    @Test
    @DisplayName("a purge reaches entries that are stored beyond the cap")
    void purgeBeyondCap() {
        InboxDriver view = withCap(16);
        view.live(READER);
        view.deliver(READER, List.of(post("bob", 1), post("bob", 2)));
        view.deliver(READER, posts("amy", 18).subList(2, 18));
        assertThat(view.purge(READER, "bob", view.epoch(READER))).isTrue();
        assertThat(view.floor(READER)).isEqualTo(Position.LOWEST);
        assertThat(view.deliver(READER, post("bob", 1))).isEqualTo(Outcome.ADDED);
    }

    @Test
    @DisplayName("a purge of an author without a pending follow does nothing if any change has set a new epoch")
    void purgeRefused() {
        inbox.live(READER);
        inbox.deliver(READER, posts("bob", 2));
        long seen = inbox.epoch(READER);
        long amys = inbox.beginFollow(READER, "amy");
        assertThat(inbox.purge(READER, "bob", seen)).isFalse();
        assertThat(inbox.endFollow(READER, "amy", amys)).isTrue();
        assertThat(inbox.purge(READER, "bob", amys)).isFalse();
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 2), post("bob", 1));
    }

    @Test
    @DisplayName("a purge of an author with a pending follow depends on its token alone")
    void purgeByPendingFollow() {
        inbox.live(READER);
        inbox.deliver(READER, posts("bob", 2));
        long seen = inbox.epoch(READER);
        long first = inbox.beginFollow(READER, "bob");
        long second = inbox.beginFollow(READER, "bob");
        long epoch = inbox.beginFollow(READER, "amy");
        assertThat(inbox.purge(READER, "bob", seen)).isFalse();
        assertThat(inbox.purge(READER, "bob", first)).isFalse();
        assertThat(inbox.purge(READER, "bob", epoch)).isFalse();
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 2), post("bob", 1));
        assertThat(inbox.purge(READER, "bob", second)).isTrue();
        assertThat(inbox.posts(READER)).isEmpty();
        inbox.deliver(READER, posts("bob", 2));
        assertThat(inbox.endFollow(READER, "bob", second)).isTrue();
        assertThat(inbox.purge(READER, "bob", second)).isFalse();
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 2), post("bob", 1));
    }

    @Test
    @DisplayName("a purge of many authors skips those for whom the token is not valid, and returns them")
    void purgeMany() {
        inbox.live(READER);
        List<Post> all = List.of(post("amy", 1), post("bob", 2), post("eve", 3), post("joe", 4));
        inbox.deliver(READER, all);
        long token = inbox.inbox().beginFollow(READER, List.of("amy", "bob", "eve"));
        inbox.beginFollow(READER, "bob");
        assertThat(inbox.inbox().purge(READER, List.of("amy", "bob", "eve", "joe"), token))
                .isFalse();
        assertThat(inbox.posts(READER)).containsExactly(post("joe", 4), post("bob", 2));
        long epoch = inbox.epoch(READER);
        assertThat(inbox.inbox().purge(READER, List.of("joe", "stranger"), epoch))
                .isTrue();
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 2));
    }

    @Test
    @DisplayName("a purge does nothing if the epoch has been lost")
    void purgeAfterLoss() {
        inbox.live(READER);
        long lost = inbox.epoch(READER);
        inbox.inbox().drop(List.of(READER));
        inbox.live(READER);
        inbox.deliver(READER, posts("bob", 1));
        assertThat(inbox.purge(READER, "bob", lost)).isFalse();
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 1));
    }

    @Test
    @DisplayName("a purge distinguishes awkward author ids")
    void purgeAwkwardAuthors() {
        inbox.live(READER);
        List<Post> posts = AWKWARD_IDS.stream().map(id -> post(id, 1)).toList();
        for (String author : AWKWARD_IDS) {
            inbox.deliver(READER, posts);
            assertThat(inbox.purge(READER, author, inbox.epoch(READER))).isTrue();
            assertThat(inbox.posts(READER)).hasSize(posts.size() - 1).doesNotContain(post(author, 1));
        }
    }
}
