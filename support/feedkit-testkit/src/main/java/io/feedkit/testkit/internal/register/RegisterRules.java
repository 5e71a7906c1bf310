package io.feedkit.testkit.internal.register;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.PulledRegister.Moment;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.outbox.OutboxDriver;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;

/** The base of the chapters of the register kit. */
abstract class RegisterRules {

    /** The longest time for which a store may repeat a change. */
    static final Duration CHANGES_REPEATED = Duration.ofSeconds(2);

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
        return RegisterSnapshot.of(register).pulled();
    }

    final Entry entry(String author) {
        return outbox.entry(author);
    }

    /** Asserts that nothing changed. */
    static void assertNothing(Update update) {
        assertThat(update.scope()).isEqualTo(Scope.CHANGES);
        assertThat(update.entries()).isEmpty();
        assertThat(update.retracting()).isEmpty();
        assertThat(update.retracted()).isEmpty();
    }

    /** Asserts that an entry covers posts and names their author, so that a task can be made from it. */
    static void assertCovers(Entry entry, List<Post> posts) {
        assertThat(posts).allSatisfy(post -> {
            assertThat(entry.oldest()).isLessThanOrEqualTo(Position.of(post));
            assertThat(entry.newest()).isGreaterThanOrEqualTo(Position.of(post));
            assertThat(entry.newest().author()).isEqualTo(post.author());
        });
    }

    /** Asserts that updates since a moment are empty, once the time for repeated changes is over. */
    final void assertQuiet(Moment moment) {
        kit.pass(CHANGES_REPEATED);
        Update update = register.update(Optional.of(moment), List.of(), Integer.MAX_VALUE);
        assertNothing(register.update(Optional.of(update.moment()), List.of(), Integer.MAX_VALUE));
    }
}
