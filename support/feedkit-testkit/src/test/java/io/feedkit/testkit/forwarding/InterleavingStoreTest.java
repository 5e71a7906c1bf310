package io.feedkit.testkit.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PostEventLog;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.internal.Interception;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The latest reads of an interleaving store")
class InterleavingStoreTest {

    private final InterleavingStore store = InterleavingStore.of(
            InMemoryFeedStore.create(SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"))));
    private final WritableFollowGraph graph = (WritableFollowGraph) store.graph();

    @Test
    @DisplayName("hold until one from the latest on would be answered otherwise")
    void untilAnswerChanges() {
        graph.followed("ann", Set.of("cat"));
        graph.followed("ann", Set.of("bob"));
        graph.followed("ann", Set.of("dan"));
        store.outbox().settledMark();
        IntSupplier reads = store.latestReads();
        assertThat(reads.getAsInt()).isEqualTo(4);
        graph.add(List.of(new Edge("ann", "bob")));
        assertThat(reads.getAsInt()).isEqualTo(2);
        assertThat(store.latestReads().getAsInt()).isZero();
    }

    @Test
    @DisplayName(
            "begin after the last call that could change something, which is every call that is not known to be a read")
    void afterLastWrite() {
        graph.followed("ann", Set.of("bob"));
        store.outbox().fanout().claim(1, 1000);
        assertThat(store.latestReads().getAsInt()).isZero();
        store.inbox(new InboxLimits(10, 1000)).open("ann", 1000, false);
        graph.followed("ann", Set.of("bob"));
        assertThat(store.latestReads().getAsInt()).isEqualTo(1);
    }

    @Test
    @DisplayName("are asked again past the store: nothing is counted or interrupted")
    void past() {
        graph.followed("ann", Set.of("bob"));
        int calls = store.calls(InterleavingStore.ANY);
        assertThat(store.latestReads().getAsInt()).isEqualTo(1);
        assertThat(store.calls(InterleavingStore.ANY)).isEqualTo(calls);
    }

    @Test
    @DisplayName("are of methods that there are")
    void names() {
        Set<String> methods = Stream.of(
                        Outbox.class,
                        TransactionalOutbox.class,
                        ArchiveSource.class,
                        Inbox.class,
                        PulledRegister.class,
                        FanoutLog.class,
                        PostEventLog.class,
                        FollowGraph.class,
                        WritableFollowGraph.class,
                        SeenMarks.class,
                        RankSnapshots.class)
                .flatMap(part -> Arrays.stream(part.getMethods())
                        .map(method ->
                                Interception.NAMES.get(part.getSimpleName().replaceAll("Transactional|Writable", ""))
                                        + "." + method.getName()))
                .collect(Collectors.toSet());
        assertThat(methods).containsAll(Interception.READS);
    }
}
