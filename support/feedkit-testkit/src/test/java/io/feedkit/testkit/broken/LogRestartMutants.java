package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.log;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.testkit.broken.Parts.ALog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Logs that are wrong about what begins again after a loss of deliveries, and how often. */
final class LogRestartMutants {

    private static final int MANY = 1000;

    static final List<Mutant> ALL = List.of(
            log("restarts tasks again for the same loss", "Restart.once", (log, clock) -> new ALog(log) {
                @Override
                public OptionalInt restart(long loss, long finishedSince) {
                    return sound.restart(0, finishedSince);
                }
            }),
            log("knows only the losses of its own process", "Restart.once", (log, clock) -> new ALog(log) {
                private final Set<Long> done = ConcurrentHashMap.newKeySet();

                @Override
                public OptionalInt restart(long loss, long finishedSince) {
                    return loss == 0 || done.add(loss) ? sound.restart(0, finishedSince) : OptionalInt.empty();
                }
            }),
            log("keeps the last loss instead of the latest", "Restart.order", (log, clock) -> new ALog(log) {
                private final AtomicLong last = new AtomicLong();

                @Override
                public OptionalInt restart(long loss, long finishedSince) {
                    return loss == 0 || last.getAndSet(loss) != loss
                            ? sound.restart(0, finishedSince)
                            : OptionalInt.empty();
                }
            }),
            log("tells only its own process of a loss", "Restart.order", (log, clock) -> new ALog(log) {
                @Override
                public long latestLoss() {
                    return 0;
                }
            }),
            log("keeps one loss for good", "Restart.order", (log, clock) -> new ALog(log) {
                private final AtomicBoolean done = new AtomicBoolean();

                @Override
                public OptionalInt restart(long loss, long finishedSince) {
                    return loss == 0 || done.compareAndSet(false, true)
                            ? sound.restart(0, finishedSince)
                            : OptionalInt.empty();
                }
            }),
            log("does not keep a loss that found nothing to restart", "Restart.empty", (log, clock) -> new ALog(log) {
                @Override
                public OptionalInt restart(long loss, long finishedSince) {
                    return sound.restart(sound.queueStatus().unfinished() == 0 ? 0 : loss, finishedSince);
                }
            }),
            log("keeps a restart for no loss as one", "Restart.always", (log, clock) -> new ALog(log) {
                @Override
                public OptionalInt restart(long loss, long finishedSince) {
                    return sound.restart(loss == 0 ? 5_000 : loss, finishedSince);
                }
            }),
            log("forgets the finished tasks", "Restart.once", (log, clock) -> new ALog(log) {
                @Override
                public OptionalInt restart(long loss, long finishedSince) {
                    return sound.restart(loss, loss == 0 ? finishedSince : Long.MAX_VALUE / 4);
                }
            }),
            log("makes tasks due that wait", "Restart.heldBack", (log, clock) -> new ALog(log) {
                @Override
                public OptionalInt restart(long loss, long finishedSince) {
                    OptionalInt restarted = sound.restart(loss, finishedSince);
                    sound.hasten(MANY);
                    return restarted;
                }
            }),
            log("counts an attempt for a lease that is lost", "Restart.leased", (log, clock) -> new ALog(log) {
                @Override
                public OptionalInt restart(long loss, long finishedSince) {
                    OptionalInt restarted = sound.restart(loss, finishedSince);
                    sound.fail(sound.claim(MANY, 60_000).stream()
                            .map(claim -> new FanoutLog.Failure(claim, "restarted", 0))
                            .toList());
                    return restarted;
                }
            }),
            log("restarts dead tasks, too", "Restart.dead", (log, clock) -> new ALog(log) {
                @Override
                public OptionalInt restart(long loss, long finishedSince) {
                    sound.replay(sound.dead("", MANY).stream()
                            .map(dead -> dead.task().id())
                            .toList());
                    return sound.restart(loss, finishedSince);
                }
            }),
            log("leaves running leases alone", "Restart.leased", (log, clock) -> new Lenient(log)),
            log("goes on at the cursors of unfinished tasks", "Restart.leased", (log, clock) -> new Forgetless(log)),
            log("restarts together, but each for itself", "Restart.together", (log, clock) -> new ALog(log) {
                private final Set<Long> done = ConcurrentHashMap.newKeySet();
                private final Gap gap = new Gap();

                @Override
                public OptionalInt restart(long loss, long finishedSince) {
                    if (loss == 0 || done.contains(loss)) {
                        return loss == 0 ? sound.restart(0, finishedSince) : OptionalInt.empty();
                    }
                    OptionalInt restarted = sound.restart(0, finishedSince);
                    gap.awaitRival(() -> done.contains(loss));
                    sound.claim(MANY, 60_000);
                    done.add(loss);
                    return restarted;
                }
            }));

    private LogRestartMutants() {}

    /** Lets a worker that lost its lease in a restart finish all the same. */
    private static final class Lenient extends ALog {
        private final Map<Long, Claim> held = new ConcurrentHashMap<>();

        Lenient(FanoutLog sound) {
            super(sound);
        }

        @Override
        public OptionalInt restart(long loss, long finishedSince) {
            OptionalInt restarted = sound.restart(loss, finishedSince);
            for (Claim claim : sound.claim(MANY, 60_000)) {
                held.put(claim.lease(), claim);
            }
            return restarted;
        }

        @Override
        public List<Boolean> finish(List<Claim> claims, long retainMillis) {
            List<Boolean> answers = new ArrayList<>();
            for (Claim claim : claims) {
                Claim now = held.values().stream()
                        .filter(other -> other.task().id().equals(claim.task().id()))
                        .findFirst()
                        .orElse(claim);
                answers.addAll(sound.finish(List.of(now), retainMillis));
            }
            return answers;
        }
    }

    /** Remembers the cursors of tasks that are not finished, and gives them back. */
    private static final class Forgetless extends ALog {
        private final Map<String, String> cursors = new ConcurrentHashMap<>();

        Forgetless(FanoutLog sound) {
            super(sound);
        }

        @Override
        public List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
            progress.forEach(step -> cursors.put(step.claim().task().id(), step.after()));
            return sound.checkpoint(progress, leaseMillis);
        }

        @Override
        public List<Boolean> finish(List<Claim> claims, long retainMillis) {
            List<Boolean> answers = sound.finish(claims, retainMillis);
            for (int i = 0; i < claims.size(); i++) {
                if (answers.get(i)) {
                    cursors.remove(claims.get(i).task().id());
                }
            }
            return answers;
        }

        @Override
        public OptionalInt restart(long loss, long finishedSince) {
            OptionalInt restarted = sound.restart(loss, finishedSince);
            sound.release(sound.claim(MANY, 60_000).stream()
                    .map(claim ->
                            new Release(claim, cursors.getOrDefault(claim.task().id(), ""), 0))
                    .toList());
            return restarted;
        }
    }
}
