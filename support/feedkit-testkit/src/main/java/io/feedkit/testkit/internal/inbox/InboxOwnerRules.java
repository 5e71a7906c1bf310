package io.feedkit.testkit.internal.inbox;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.ForeignStoreException;
import io.feedkit.Post;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Position;
import io.feedkit.testkit.internal.Race;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Inboxes belong to one source of truth. */
public abstract class InboxOwnerRules extends InboxRules {

    /** A number of engines that may start at once. */
    private static final int ENGINES = 64;

    protected InboxOwnerRules(InboxKit kit) {
        super(kit);
    }

    private static void refused(Inbox view, String identity, String owner) {
        assertThatThrownBy(() -> view.claim(identity))
                .isInstanceOfSatisfying(ForeignStoreException.class, e -> {
                    assertThat(e.found()).isEqualTo(owner);
                    assertThat(e.expected()).isEqualTo(identity);
                    assertThat(e.isRetryable()).isFalse();
                })
                .hasMessageContainingAll(owner, identity);
    }

    @Test
    @DisplayName("inboxes belong to the first source of truth that claims them; it may claim them again")
    void first() {
        inbox.inbox().claim("one");
        inbox.inbox().claim("one");
        withCap(10).inbox().claim("one");
    }

    @Test
    @DisplayName("another source of truth is refused by name, through every view and at every attempt")
    void another() {
        inbox.inbox().claim("one");
        refused(inbox.inbox(), "two", "one");
        refused(withCap(10).inbox(), "two", "one");
        refused(inbox.inbox(), "two", "one");
        refused(inbox.inbox(), "On_e-1", "one");
    }

    @Test
    @DisplayName("a refused claim changes nothing")
    void nothingChanges() {
        inbox.inbox().claim("one");
        long generation = inbox.live(READER);
        List<Post> posts = posts("bob", 3);
        inbox.deliver(READER, posts);
        refused(inbox.inbox(), "two", "one");
        inbox.inbox().claim("one");
        assertThat(inbox.posts(READER)).isEqualTo(newestFirst(posts));
        inbox.raise(READER, generation, Position.LOWEST);
    }

    @Test
    @Tag("concurrency")
    @DisplayName("if 64 sources of truth claim at the same time, one wins, and the others get its name")
    void race() {
        List<String> owners = Race.run(ENGINES, thread -> {
            try {
                withCap(1000).inbox().claim("source-" + thread);
                return "source-" + thread;
            } catch (ForeignStoreException e) {
                return e.found();
            }
        });
        assertThat(owners).hasSize(ENGINES).containsOnly(owners.get(0));
        inbox.inbox().claim(owners.get(0));
    }
}
