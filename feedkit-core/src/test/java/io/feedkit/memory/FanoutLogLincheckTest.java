package io.feedkit.memory;

import io.feedkit.Post;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.Position;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("The fan-out log in memory, in every interleaving,")
@Param(name = "worker", gen = ThreadIdGen.class)
@Tag("concurrency")
public class FanoutLogLincheckTest {

    private static final long LEASE = 1_000;

    private final SettableClock clock = new SettableClock(5_000);
    private final MemoryFanoutLog log = new MemoryFanoutLog(clock);
    private final AtomicReferenceArray<Claim> claims = new AtomicReferenceArray<>(4);

    public FanoutLogLincheckTest() {
        for (int i = 0; i < 2; i++) {
            log.record(Kind.PUSH, Position.of(Post.of("author", "p" + i, 1)), clock.millis());
        }
    }

    @Operation
    public String claim(@Param(name = "worker") int worker) {
        List<Claim> claimed = log.claim(1, LEASE);
        if (claimed.isEmpty()) {
            return "nothing";
        }
        claims.set(worker, claimed.get(0));
        Task task = claimed.get(0).task();
        return task.id() + " after " + task.after() + ", attempts " + task.attempts();
    }

    @Operation
    public boolean checkpoint(@Param(name = "worker") int worker) {
        Claim claim = claims.get(worker);
        return claim != null
                && log.checkpoint(List.of(new Progress(claim, "worker" + worker)), LEASE)
                        .get(0);
    }

    @Operation
    public boolean finish(@Param(name = "worker") int worker) {
        Claim claim = claims.get(worker);
        return claim != null && log.finish(List.of(claim), LEASE).get(0);
    }

    @Operation
    public boolean fail(@Param(name = "worker") int worker) {
        Claim claim = claims.get(worker);
        return claim != null
                && log.fail(List.of(new Failure(claim, "reason", 0))).get(0);
    }

    @Operation
    public String queueStatus() {
        return log.queueStatus().toString();
    }

    @Operation
    public long invisibleSince() {
        return log.invisibleSince();
    }

    @Operation
    public void letLeasesRunOut() {
        clock.set(5_000 + LEASE);
    }

    @Test
    @DisplayName("behaves as one operation at a time would")
    void modelChecking() {
        new ModelCheckingOptions()
                .iterations(6)
                .invocationsPerIteration(100)
                .actorsBefore(1)
                .threads(2)
                .actorsPerThread(2)
                .actorsAfter(1)
                .check(FanoutLogLincheckTest.class);
    }

    @Test
    @DisplayName("behaves as one operation at a time would, under stress")
    void stress() {
        new StressOptions()
                .iterations(4)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(3)
                .check(FanoutLogLincheckTest.class);
    }
}
