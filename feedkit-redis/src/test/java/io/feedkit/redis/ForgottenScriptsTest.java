package io.feedkit.redis;

import static io.feedkit.redis.TestInboxes.commands;
import static io.feedkit.redis.TestInboxes.deliver;
import static io.feedkit.redis.TestInboxes.live;
import static io.feedkit.redis.TestInboxes.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.InboxLimits;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A server that forgets its scripts")
class ForgottenScriptsTest {

    private final TestInboxes inboxes = new TestInboxes();
    private final Inbox inbox = inboxes.inbox(new InboxLimits(1000, 60_000));

    @AfterEach
    void close() {
        inboxes.close();
    }

    @Test
    @DisplayName("is told them again, between any two calls")
    void singleCalls() {
        commands().scriptFlush();
        live(inbox, "ann");
        commands().scriptFlush();
        assertThat(deliver(inbox, "ann", Post.of("bob", "1", 1))).isEqualTo(Outcome.ADDED);
        commands().scriptFlush();
        assertThat(slice(inbox, "ann", true).posts()).containsExactly(Post.of("bob", "1", 1));
    }

    @Test
    @DisplayName("is told them again in the middle of many calls, each of which takes effect")
    void manyCalls() {
        live(inbox, "ann");
        commands().scriptFlush();
        List<Delivery> deliveries = IntStream.rangeClosed(1, 300)
                .mapToObj(n -> new Delivery(Post.of("bob", "p" + n, n), List.of("ann", "absent"), 0))
                .toList();
        assertThat(inbox.deliver(deliveries))
                .isEqualTo(Collections.nCopies(300, List.of(Outcome.ADDED, Outcome.NOT_LIVE)));
        assertThat(slice(inbox, "ann", false).posts()).hasSize(300);
    }

    @Test
    @DisplayName("does what comes later in a batch after what comes earlier, all the same")
    void order() {
        live(inbox, "ann");
        commands().scriptFlush();
        List<Delivery> once = IntStream.rangeClosed(1, 200)
                .mapToObj(n -> new Delivery(Post.of("bob", "p" + n, n), List.of("ann"), 0))
                .toList();
        List<Delivery> twice = Stream.concat(once.stream(), once.stream()).toList();
        List<List<Outcome>> outcomes = inbox.deliver(twice);
        assertThat(outcomes.subList(0, 200)).containsOnly(List.of(Outcome.ADDED));
        assertThat(outcomes.subList(200, 400)).containsOnly(List.of(Outcome.PRESENT));
    }
}
