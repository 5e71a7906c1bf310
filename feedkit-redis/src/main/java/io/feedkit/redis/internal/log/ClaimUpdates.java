package io.feedkit.redis.internal.log;

import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.call.Script;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Updates many claims at a time. One script is about up to a hundred claims of one partition. */
final class ClaimUpdates {

    private static final int AT_ONCE = 100;

    /** One kind of update, with the arguments of a claim beside its id and lease. */
    private record ClaimUpdate<I>(
            String operation, Script<byte[]> script, Function<I, Claim> claim, Function<I, List<byte[]>> more) {

        List<byte[]> values(I item) {
            Claim of = claim.apply(item);
            List<byte[]> values =
                    new ArrayList<>(List.of(Arguments.text(of.task().id()), Arguments.token(of.lease())));
            values.addAll(more.apply(item));
            return values;
        }
    }

    private static final ClaimUpdate<Progress> CHECKPOINT = new ClaimUpdate<>(
            "log.checkpoint",
            LogScripts.CHECKPOINT,
            Progress::claim,
            progress -> List.of(Arguments.text(progress.after())));

    private static final ClaimUpdate<Release> RELEASE = new ClaimUpdate<>(
            "log.release",
            LogScripts.RELEASE,
            Release::claim,
            release -> List.of(Arguments.millis(release.delayMillis()), Arguments.text(release.after())));

    private static final ClaimUpdate<Failure> FAIL = new ClaimUpdate<>(
            "log.fail", LogScripts.FAIL, Failure::claim, failure -> List.of(Arguments.millis(failure.delayMillis())));

    private static final ClaimUpdate<Claim> FINISH =
            new ClaimUpdate<>("log.finish", LogScripts.FINISH, Function.identity(), claim -> List.of());

    private final RedisLink link;
    private final LogKeys keys;
    private final ScriptClock clock;

    ClaimUpdates(RedisLink link, LogKeys keys, ScriptClock clock) {
        this.link = link;
        this.keys = keys;
        this.clock = clock;
    }

    List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
        return run(CHECKPOINT, progress, List.of(clock.now(), Arguments.millis(leaseMillis)));
    }

    List<Boolean> release(List<Release> releases) {
        return run(RELEASE, releases, List.of(clock.now()));
    }

    List<Boolean> fail(List<Failure> failures) {
        return run(FAIL, failures, List.of(clock.now()));
    }

    List<Boolean> finish(List<Claim> claims, long retainMillis) {
        return run(FINISH, claims, List.of(clock.now(), Arguments.millis(retainMillis)));
    }

    private <I> List<Boolean> run(ClaimUpdate<I> update, List<I> items, List<byte[]> same) {
        PartitionBatcher<I> split = PartitionBatcher.of(
                items, item -> TaskIds.partition(update.claim().apply(item)), AT_ONCE);
        List<byte[]> answers = link.runAll(
                update.operation(),
                Effect.WRITE,
                split.each(batch ->
                        update.script().on(keys.withDone(batch.partition()), batch.values(same, update::values))));
        return split.inPlace(answers.stream().map(Arguments::flags).toList());
    }
}
