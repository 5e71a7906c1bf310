package io.feedkit.testkit.internal.register;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.testkit.internal.outbox.OutboxDriver;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;

/** What the concepts of the register kit share. */
abstract class RegisterRules {

    final OutboxKit kit;

    OutboxDriver outbox;
    PulledRegister register;

    RegisterRules(OutboxKit kit) {
        this.kit = kit;
    }

    @BeforeEach
    void openRegister() {
        outbox = new OutboxDriver(kit.outbox());
        register = outbox.register();
    }

    final Map<String, Entry> pulled() {
        return register.snapshot().pulled();
    }

    final Entry entry(String author) {
        return outbox.entry(author);
    }

    /** Asserts that an entry covers posts and names their author, whose task it may become. */
    static void assertCovers(Entry entry, List<Post> posts) {
        assertThat(posts).allSatisfy(post -> {
            assertThat(entry.oldest()).isLessThanOrEqualTo(Position.of(post));
            assertThat(entry.newest()).isGreaterThanOrEqualTo(Position.of(post));
            assertThat(entry.newest().author()).isEqualTo(post.author());
        });
    }
}
