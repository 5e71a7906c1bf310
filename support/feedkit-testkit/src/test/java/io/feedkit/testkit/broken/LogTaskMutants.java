package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.log;

import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Dead;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.PulledRegister;
import io.feedkit.testkit.broken.Parts.ALog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** Logs that are wrong about tasks: cursors, attempts, what becomes of them. */
final class LogTaskMutants {

    static final List<Mutant> ALL = List.of(
            log("loses a checkpoint", "Progress.checkpointRecordsCursor", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
                    return sound.checkpoint(
                            progress.stream()
                                    .map(step -> new Progress(
                                            step.claim(), step.claim().task().after()))
                                    .toList(),
                            leaseMillis);
                }
            }),
            tasks("never counts an attempt", "Claiming.abandoned", task -> with(task, task.after(), 0)),
            log(
                    "does not forgive attempts at a checkpoint",
                    "Progress.checkpointResetsAttempts",
                    (log, clock) -> new ALog(log) {
                        private final Map<String, Integer> worst = new ConcurrentHashMap<>();

                        @Override
                        public List<Claim> claim(int max, long leaseMillis) {
                            return claimed(
                                    sound.claim(max, leaseMillis),
                                    task -> with(
                                            task, task.after(), worst.merge(task.id(), task.attempts(), Math::max)));
                        }
                    }),
            log("hastens nothing", "Progress.hasten", (log, clock) -> new ALog(log) {
                @Override
                public int hasten(int most) {
                    return 0;
                }
            }),
            log("counts an attempt for a release", "Progress.release", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> release(List<Release> releases) {
                    return releases.stream().map(this::release).toList();
                }

                private boolean release(Release release) {
                    sound.checkpoint(List.of(new Progress(release.claim(), release.after())), 60_000);
                    return sound.fail(List.of(new Failure(release.claim(), "released", release.delayMillis())))
                            .get(0);
                }
            }),
            log("does not forgive attempts at a release", "Progress.release", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> release(List<Release> releases) {
                    return releases.stream().map(this::release).toList();
                }

                private boolean release(Release release) {
                    int attempts = release.claim().task().attempts();
                    boolean released = sound.release(List.of(release)).get(0);
                    for (int i = 0; released && i < attempts; i++) {
                        sound.claim(1, 60_000).forEach(claim -> sound.fail(List.of(new Failure(claim, "again", 0))));
                    }
                    return released;
                }
            }),
            log("loses the cursor at a failure", "Progress.fail", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> fail(List<Failure> failures) {
                    failures.forEach(failure -> sound.checkpoint(List.of(new Progress(failure.claim(), "")), 60_000));
                    return sound.fail(failures);
                }
            }),
            log("lets a failed task be claimed at once", "Progress.delay", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> fail(List<Failure> failures) {
                    return sound.fail(failures.stream()
                            .map(failure -> new Failure(failure.claim(), failure.reason(), 0))
                            .toList());
                }
            }),
            log("lets a released task be claimed at once", "Progress.delay", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> release(List<Release> releases) {
                    return sound.release(releases.stream()
                            .map(release -> new Release(release.claim(), release.after(), 0))
                            .toList());
                }
            }),
            log("refuses a long reason", "Progress.reasons", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> fail(List<Failure> failures) {
                    failures.stream()
                            .map(Failure::reason)
                            .filter(reason -> reason.length() > 500)
                            .forEach(reason -> {
                                throw new IllegalStateException("value too long");
                            });
                    return sound.fail(failures);
                }
            }),
            log("forgets a finished task at once", "Finished.restart", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> finish(List<Claim> claims, long retainMillis) {
                    return sound.finish(claims, 0);
                }
            }),
            log("never forgets a finished task", "Finished.forgotten", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> finish(List<Claim> claims, long retainMillis) {
                    return sound.finish(claims, Long.MAX_VALUE / 4);
                }
            }),
            log("restarts whatever was finished", "Finished.restartSince", (log, clock) -> new ALog(log) {
                @Override
                public OptionalInt restart(long loss, long finishedSince) {
                    return sound.restart(loss, 0);
                }
            }),
            log(
                    "restarts only what was finished after the time",
                    "Finished.restartSince",
                    (log, clock) -> new ALog(log) {
                        @Override
                        public OptionalInt restart(long loss, long finishedSince) {
                            return sound.restart(loss, finishedSince + 1);
                        }
                    }),
            log("restarts a task at its last cursor", "Finished.restart", (log, clock) -> new ALog(log) {
                private final Map<String, String> cursors = new ConcurrentHashMap<>();

                @Override
                public List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
                    progress.forEach(step -> cursors.put(step.claim().task().id(), step.after()));
                    return sound.checkpoint(progress, leaseMillis);
                }

                @Override
                public List<Claim> claim(int max, long leaseMillis) {
                    return claimed(
                            sound.claim(max, leaseMillis),
                            task -> with(task, cursors.getOrDefault(task.id(), task.after()), task.attempts()));
                }
            }),
            log("forgets dead tasks with age", "DeadTasks.deadLast", (log, clock) -> new ALog(log) {
                @Override
                public List<Dead> dead(String after, int limit) {
                    long oldest = clock.millis() - Duration.ofDays(30).toMillis();
                    return sound.dead(after, limit).stream()
                            .filter(dead -> dead.died() >= oldest)
                            .toList();
                }
            }),
            log("lists dead tasks backwards", "DeadTasks.pages", (log, clock) -> new ALog(log) {
                @Override
                public List<Dead> dead(String after, int limit) {
                    List<Dead> dead = new ArrayList<>(sound.dead(after, limit));
                    Collections.reverse(dead);
                    return List.copyOf(dead);
                }
            }),
            log("replays a task from the beginning", "DeadTasks.replay", (log, clock) -> new ALog(log) {
                private final Set<String> replayed = ConcurrentHashMap.newKeySet();

                @Override
                public int replay(Collection<String> ids) {
                    replayed.addAll(ids);
                    return sound.replay(ids);
                }

                @Override
                public List<Claim> claim(int max, long leaseMillis) {
                    return claimed(
                            sound.claim(max, leaseMillis),
                            task -> replayed.contains(task.id()) ? with(task, "", task.attempts()) : task);
                }
            }),
            log("counts whatever it is asked to replay", "DeadTasks.replayOthers", (log, clock) -> new ALog(log) {
                @Override
                public int replay(Collection<String> ids) {
                    sound.replay(ids);
                    return ids.size();
                }
            }),
            splits(
                    "loses the last range of a split",
                    "Splitting.parts",
                    (claim, ranges) -> ranges.subList(0, Math.max(1, ranges.size() - 1))),
            splits("keeps the whole beside its parts", "Splitting.parts", (claim, ranges) -> {
                List<KeyRange> more = new ArrayList<>(ranges);
                more.add(claim.task().range());
                return more;
            }),
            log("records a catch-up again and again", "CatchingUp.once", (log, clock) -> new ALog(log) {
                private final AtomicLong versions = new AtomicLong(1_000_000);

                @Override
                public boolean catchUp(String author, PulledRegister.Entry entry) {
                    return sound.catchUp(author, entry)
                            || sound.catchUp(
                                    author,
                                    new PulledRegister.Entry(
                                            entry.oldest(), entry.newest(), versions.incrementAndGet()));
                }
            }),
            log(
                    "records one catch-up for an author, whatever the version",
                    "CatchingUp.perVersionAndAuthor",
                    (log, clock) -> new ALog(log) {
                        @Override
                        public boolean catchUp(String author, PulledRegister.Entry entry) {
                            return sound.catchUp(author, new PulledRegister.Entry(entry.oldest(), entry.newest(), 1));
                        }
                    }),
            log(
                    "checks for a catch-up and records it in two steps",
                    "Concurrency.catchUpOnce",
                    (log, clock) -> new ALog(log) {
                        private final Set<Long> recorded = ConcurrentHashMap.newKeySet();
                        private final Gap gap = new Gap();

                        @Override
                        public boolean catchUp(String author, PulledRegister.Entry entry) {
                            if (recorded.contains(entry.version())) {
                                return sound.catchUp(author, entry);
                            }
                            gap.awaitRival(() -> recorded.contains(entry.version()));
                            recorded.add(entry.version());
                            sound.catchUp(author, entry);
                            return true;
                        }
                    }),
            log("retracts again at once", "RetractingAgain.waits", (log, clock) -> new ALog(log) {
                @Override
                public boolean retractAgain(Claim claim, long delayMillis) {
                    return sound.retractAgain(claim, 0);
                }
            }),
            log("retracts again like the first time", "RetractingAgain.replaced", (log, clock) -> new ALog(log) {
                @Override
                public boolean retractAgain(Claim claim, long delayMillis) {
                    return sound.release(List.of(new Release(claim, "", delayMillis)))
                            .get(0);
                }
            }),
            log("does not retract again what was split", "RetractingAgain.parts", (log, clock) -> new ALog(log) {
                @Override
                public boolean retractAgain(Claim claim, long delayMillis) {
                    return claim.task().range().equals(KeyRange.ALL)
                            ? sound.retractAgain(claim, delayMillis)
                            : sound.finish(List.of(claim), 60_000).get(0);
                }
            }));

    private LogTaskMutants() {}

    private interface Splitting {
        List<KeyRange> ranges(Claim claim, List<KeyRange> ranges);
    }

    private static Mutant tasks(String name, String caughtBy, UnaryOperator<Task> breaking) {
        return log(name, caughtBy, (log, clock) -> new ALog(log) {
            @Override
            public List<Claim> claim(int max, long leaseMillis) {
                return claimed(sound.claim(max, leaseMillis), breaking);
            }
        });
    }

    private static Mutant splits(String name, String caughtBy, Splitting breaking) {
        return log(name, caughtBy, (log, clock) -> new ALog(log) {
            @Override
            public boolean split(Claim claim, List<KeyRange> ranges) {
                return sound.split(claim, breaking.ranges(claim, ranges));
            }
        });
    }

    private static List<Claim> claimed(List<Claim> claims, UnaryOperator<Task> breaking) {
        return claims.stream()
                .map(claim -> new Claim(breaking.apply(claim.task()), claim.lease()))
                .toList();
    }

    private static Task with(Task task, String after, int attempts) {
        return new Task(
                task.id(),
                task.kind(),
                task.oldest(),
                task.newest(),
                task.version(),
                task.range(),
                after,
                attempts,
                task.created());
    }
}
