package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.log;

import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Dead;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Outage;
import io.feedkit.spi.FanoutLog.Postponement;
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
            tasks(
                    "cuts a cursor to the length of an id",
                    "Progress.longestCursor",
                    task -> with(
                            task,
                            task.after().substring(0, Math.min(64, task.after().length())),
                            task.attempts())),
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
            log("does not count an outage", "Progress.postpone", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> postpone(List<Postponement> postponements) {
                    return sound.release(postponements.stream()
                            .map(each -> new Release(
                                    each.claim(), each.claim().task().after(), each.delayMillis()))
                            .toList());
                }
            }),
            log("counts an outage as attempts", "Progress.postpone", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> postpone(List<Postponement> postponements) {
                    return sound.fail(postponements.stream()
                            .map(each -> new Failure(each.claim(), "outage", each.delayMillis()))
                            .toList());
                }
            }),
            log("forgets an outage at a failure", "Progress.outageIsCounted", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> fail(List<Failure> failures) {
                    failures.stream()
                            .map(Failure::claim)
                            .filter(claim -> claim.task().outage().failures() > 0)
                            .forEach(claim -> sound.checkpoint(
                                    List.of(
                                            new Progress(claim, "elsewhere"),
                                            new Progress(claim, claim.task().after())),
                                    60_000));
                    return sound.fail(failures);
                }
            }),
            log("counts an outage for ever", "Progress.outageEnds", (log, clock) -> new ALog(log) {
                private final Map<String, Outage> worst = new ConcurrentHashMap<>();

                @Override
                public List<LentTask> lend(int max, long loanMillis, int window) {
                    return sound.lend(max, loanMillis, window).stream()
                            .map(lent -> new LentTask(
                                    lent.task()
                                            .with(
                                                    lent.task().after(),
                                                    lent.task().attempts(),
                                                    worst(lent.task())),
                                    lent.loan(),
                                    lent.lapsed()))
                            .toList();
                }

                private Outage worst(Task task) {
                    return worst.merge(task.id(), task.outage(), (a, b) -> a.failures() > b.failures() ? a : b);
                }
            }),
            log("lets a postponed task be claimed at once", "Progress.delay", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> postpone(List<Postponement> postponements) {
                    return sound.postpone(postponements.stream()
                            .map(each -> new Postponement(each.claim(), 0))
                            .toList());
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
            log("only hides a discarded task", "DeadTasks.discard", (log, clock) -> new ALog(log) {
                private final Set<String> hidden = ConcurrentHashMap.newKeySet();

                @Override
                public int discard(Collection<String> ids) {
                    return (int) dead("", 1000).stream()
                            .map(dead -> dead.task().id())
                            .filter(id -> ids.contains(id) && hidden.add(id))
                            .count();
                }

                @Override
                public List<Dead> dead(String after, int limit) {
                    return sound.dead(after, 1000).stream()
                            .filter(dead -> !hidden.contains(dead.task().id()))
                            .limit(limit)
                            .toList();
                }
            }),
            log("replays what it should discard", "DeadTasks.discard", (log, clock) -> new ALog(log) {
                @Override
                public int discard(Collection<String> ids) {
                    return sound.replay(ids);
                }
            }),
            log("counts whatever it is asked to discard", "DeadTasks.discardOthers", (log, clock) -> new ALog(log) {
                @Override
                public int discard(Collection<String> ids) {
                    sound.discard(ids);
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
            log("does not hold a retraction back", "RetractingLater.waits", (log, clock) -> new ALog(log) {
                @Override
                public boolean retractLater(Claim claim, long delayMillis) {
                    return sound.retractLater(claim, 0);
                }
            }),
            log("holds a retraction back as what it was", "RetractingLater.replaced", (log, clock) -> new ALog(log) {
                @Override
                public boolean retractLater(Claim claim, long delayMillis) {
                    return sound.release(List.of(new Release(claim, "", delayMillis)))
                            .get(0);
                }
            }),
            log(
                    "does not go on with a retraction that was split",
                    "RetractingLater.parts",
                    (log, clock) -> new ALog(log) {
                        @Override
                        public boolean retractLater(Claim claim, long delayMillis) {
                            return claim.task().range().equals(KeyRange.ALL)
                                    ? sound.retractLater(claim, delayMillis)
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
        return task.with(after, attempts, task.outage());
    }
}
