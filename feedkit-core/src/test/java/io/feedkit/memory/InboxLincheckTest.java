package io.feedkit.memory;

import io.feedkit.Post;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("The entries of an inbox in memory, changed by several threads,")
@Param(name = "millis", gen = IntGen.class, conf = "1:4")
@Tag("concurrency")
public class InboxLincheckTest {

    private final Inbox inbox =
            new MemoryInbox(new ReaderInboxes(), new InboxLimits(2, 1_000), new SettableClock(5_000));
    private final long generation = inbox.open("reader", 1_000, false).generation();

    public InboxLincheckTest() {
        inbox.complete("reader", generation, 0, 0);
    }

    @Operation
    public String deliver(@Param(name = "millis") int millis) {
        return inbox.deliver(List.of(new Delivery(post(millis), List.of("reader"), 0)))
                .get(0)
                .toString();
    }

    @Operation
    public boolean merge(@Param(name = "millis") int millis, @Param(name = "millis") int floor) {
        return inbox.merge("reader", generation, List.of(post(millis), post(4)), Position.of(post(floor)));
    }

    @Operation
    public void retract(@Param(name = "millis") int millis) {
        inbox.retract(List.of(new Retraction(post(millis), List.of("reader"))));
    }

    @Operation
    public String slice() {
        SliceQuery query = new SliceQuery("reader", PositionRange.ALL, Order.NEWEST_FIRST, 10, true);
        Slice slice = inbox.slice(List.of(query)).get(0);
        return slice.posts() + " " + slice.floor();
    }

    @Test
    @DisplayName("are as one operation at a time would leave them")
    void modelChecking() {
        new ModelCheckingOptions()
                .iterations(6)
                .invocationsPerIteration(100)
                .actorsBefore(1)
                .threads(2)
                .actorsPerThread(2)
                .actorsAfter(1)
                .check(InboxLincheckTest.class);
    }

    @Test
    @DisplayName("are as one operation at a time would leave them, under stress")
    void stress() {
        new StressOptions()
                .iterations(4)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(3)
                .check(InboxLincheckTest.class);
    }

    private static Post post(int millis) {
        return Post.of("author", "p" + millis, millis);
    }
}
