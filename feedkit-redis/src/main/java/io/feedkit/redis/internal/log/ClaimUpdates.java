package io.feedkit.redis.internal.log;

import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.call.Script;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.Postponement;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Updates many claims or loans at a time. One script updates up to a hundred of them in one partition. */
final class ClaimUpdates {

    private static final int AT_ONCE = 100;

    /** One kind of update, with the arguments of an item beside its task's id and its token. */
    private record ClaimUpdate<I>(
            String operation,
            Script<byte[]> script,
            Function<I, String> id,
            ToLongFunction<I> token,
            Function<I, List<byte[]>> more) {

        static <I> ClaimUpdate<I> ofClaims(
                String operation, Script<byte[]> script, Function<I, Claim> claim, Function<I, List<byte[]>> more) {
            return new ClaimUpdate<>(
                    operation,
                    script,
                    item -> claim.apply(item).task().id(),
                    item -> claim.apply(item).lease(),
                    more);
        }

        List<byte[]> values(I item) {
            List<byte[]> values =
                    new ArrayList<>(List.of(Arguments.text(id.apply(item)), Arguments.token(token.applyAsLong(item))));
            values.addAll(more.apply(item));
            return values;
        }
    }

    private static final ClaimUpdate<Progress> CHECKPOINT = ClaimUpdate.ofClaims(
            "log.checkpoint",
            LogScripts.CHECKPOINT,
            Progress::claim,
            progress -> List.of(Arguments.text(progress.after())));

    private static final ClaimUpdate<Release> RELEASE = ClaimUpdate.ofClaims(
            "log.release",
            LogScripts.RELEASE,
            Release::claim,
            release -> List.of(Arguments.millis(release.delayMillis()), Arguments.text(release.after())));

    private static final ClaimUpdate<Failure> FAIL = ClaimUpdate.ofClaims(
            "log.fail", LogScripts.FAIL, Failure::claim, failure -> List.of(Arguments.millis(failure.delayMillis())));

    private static final ClaimUpdate<Postponement> POSTPONE = ClaimUpdate.ofClaims(
            "log.postpone",
            LogScripts.POSTPONE,
            Postponement::claim,
            postponement -> List.of(Arguments.millis(postponement.delayMillis())));

    private static final ClaimUpdate<Claim> FINISH =
            ClaimUpdate.ofClaims("log.finish", LogScripts.FINISH, Function.identity(), claim -> List.of());

    private static final ClaimUpdate<Loan> RETURN =
            new ClaimUpdate<>("log.returnLoans", LogScripts.RETURN_LOANS, Loan::taskId, Loan::token, loan -> List.of());

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

    List<Boolean> postpone(List<Postponement> postponements) {
        return run(POSTPONE, postponements, List.of(clock.now()));
    }

    List<Boolean> finish(List<Claim> claims, long retainMillis) {
        return run(FINISH, claims, List.of(clock.now(), Arguments.millis(retainMillis)));
    }

    List<Boolean> returnLoans(List<Loan> loans) {
        return run(RETURN, loans, List.of(clock.now()));
    }

    private <I> List<Boolean> run(ClaimUpdate<I> update, List<I> items, List<byte[]> same) {
        PartitionBatcher<I> split =
                PartitionBatcher.of(items, item -> TaskIds.partition(update.id().apply(item)), AT_ONCE);
        List<byte[]> answers = link.runAll(
                update.operation(),
                Effect.WRITE,
                split.each(batch ->
                        update.script().on(keys.withDone(batch.partition()), batch.values(same, update::values))));
        return split.inPlace(answers.stream().map(Arguments::flags).toList());
    }
}
