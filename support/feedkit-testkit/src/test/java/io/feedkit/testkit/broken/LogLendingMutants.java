package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.log;
import static java.util.stream.Collectors.toMap;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.QueueStatus;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.testkit.broken.Parts.ALog;
import io.feedkit.testkit.broken.Parts.AnOutbox;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Logs that are wrong about loans: which tasks are lent, who may take them, and what a lent task is to others. */
final class LogLendingMutants {

    private static final int MANY = 1000;

    static final List<Mutant> ALL = List.of(
            log("keeps the token of a loan that is taken", "Lending.takenOnce", (log, clock) -> new ALog(log) {
                @Override
                public List<Optional<Claim>> take(List<Loan> loans, long leaseMillis) {
                    List<Optional<Claim>> answers = new ArrayList<>();
                    List<Optional<Claim>> taken = sound.take(loans, leaseMillis);
                    for (int i = 0; i < loans.size(); i++) {
                        long token = loans.get(i).token();
                        answers.add(taken.get(i).map(claim -> new Claim(claim.task(), token)));
                    }
                    return answers;
                }
            }),
            log("counts a loan that runs out as an attempt", "Lending.lapseIsNoAttempt", (log, clock) -> new ALog(log) {
                @Override
                public List<LentTask> lend(int max, long loanMillis, int window) {
                    return sound.lend(max, loanMillis, window).stream()
                            .map(lent -> lent.lapsed() ? attempted(lent) : lent)
                            .toList();
                }
            }),
            log("does not say that a loan has run out", "Lending.lapseIsNoAttempt", (log, clock) -> new ALog(log) {
                @Override
                public List<LentTask> lend(int max, long loanMillis, int window) {
                    return sound.lend(max, loanMillis, window).stream()
                            .map(lent -> new LentTask(lent.task(), lent.loan(), false))
                            .toList();
                }
            }),
            log("lets a loan be taken that has run out", "Lending.lapsed", (log, clock) -> new ALog(log) {
                @Override
                public List<Optional<Claim>> take(List<Loan> loans, long leaseMillis) {
                    return loans.stream()
                            .map(loan -> sound.take(List.of(loan), leaseMillis)
                                    .get(0)
                                    .or(() -> leased(sound, loan.taskId(), leaseMillis)))
                            .toList();
                }
            }),
            log("lends one task to two relays", "Lending.exclusive", (log, clock) -> new ALog(log) {
                private final Map<String, LentTask> lent = new ConcurrentHashMap<>();

                @Override
                public List<LentTask> lend(int max, long loanMillis, int window) {
                    List<LentTask> next = sound.lend(max, loanMillis, window);
                    if (next.isEmpty()) {
                        return lent.values().stream().limit(max).toList();
                    }
                    next.forEach(task -> lent.put(task.task().id(), task));
                    return next;
                }
            }),
            log("lends tasks that are leased", "Lending.exclusive", (log, clock) -> new ALog(log) {
                private final Map<String, LentTask> leased = new ConcurrentHashMap<>();

                @Override
                public List<Claim> claim(int max, long leaseMillis) {
                    List<Claim> claims = sound.claim(max, leaseMillis);
                    for (Claim claim : claims) {
                        Loan loan = new Loan(claim.task().id(), claim.lease());
                        leased.put(claim.task().id(), new LentTask(claim.task(), loan, false));
                    }
                    return claims;
                }

                @Override
                public List<LentTask> lend(int max, long loanMillis, int window) {
                    List<LentTask> next = sound.lend(max, loanMillis, window);
                    return next.isEmpty() ? leased.values().stream().limit(max).toList() : next;
                }
            }),
            log("loses the cursor of a returned loan", "Lending.returned", (log, clock) -> new Returning(log) {
                @Override
                String cursor(Task task) {
                    return "";
                }
            }),
            log("forgets the attempts of a returned loan", "Lending.returned", (log, clock) -> new Returning(log) {
                @Override
                String cursor(Task task) {
                    return task.after();
                }
            }),
            log("lets a lent task be finished", "Lending.noLease", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> finish(List<Claim> claims, long retainMillis) {
                    return claims.stream()
                            .map(claim -> sound.finish(List.of(taken(sound, claim)), retainMillis)
                                    .get(0))
                            .toList();
                }
            }),
            log("lets a worker give a lent task back", "Lending.noLease", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> release(List<Release> releases) {
                    return sound.release(releases.stream()
                            .map(release ->
                                    new Release(taken(sound, release.claim()), release.after(), release.delayMillis()))
                            .toList());
                }
            }),
            log("lends beyond the window", "Lending.window", (log, clock) -> new ALog(log) {
                @Override
                public List<LentTask> lend(int max, long loanMillis, int window) {
                    return sound.lend(max, loanMillis, FanoutLog.LENT_AT_MOST);
                }
            }),
            log("lends one task more than the window holds", "Lending.window", (log, clock) -> new ALog(log) {
                @Override
                public List<LentTask> lend(int max, long loanMillis, int window) {
                    return sound.lend(max, loanMillis, window + 1);
                }
            }),
            log(
                    "counts loans that have run out for the window",
                    "Lending.lapsedMakesRoom",
                    (log, clock) -> new ALog(log) {
                        private int lent;

                        @Override
                        public synchronized List<LentTask> lend(int max, long loanMillis, int window) {
                            if (lent >= window && window < MANY / 10) {
                                return List.of();
                            }
                            List<LentTask> next = sound.lend(max, loanMillis, window);
                            lent += next.size();
                            return next;
                        }

                        @Override
                        public synchronized List<Optional<Claim>> take(List<Loan> loans, long leaseMillis) {
                            lent -= loans.size();
                            return sound.take(loans, leaseMillis);
                        }

                        @Override
                        public synchronized List<Boolean> returnLoans(List<Loan> loans) {
                            lent -= loans.size();
                            return sound.returnLoans(loans);
                        }
                    }),
            log("lends for twice as long", "Lending.lapseIsNoAttempt", (log, clock) -> new ALog(log) {
                @Override
                public List<LentTask> lend(int max, long loanMillis, int window) {
                    return sound.lend(max, loanMillis * 2, window);
                }
            }),
            log("leases what is taken for half as long", "Lending.lasts", (log, clock) -> new ALog(log) {
                @Override
                public List<Optional<Claim>> take(List<Loan> loans, long leaseMillis) {
                    return sound.take(loans, leaseMillis / 2);
                }
            }),
            log("gives a loan that occurs twice to both", "Lending.twiceInOneCall", (log, clock) -> new ALog(log) {
                @Override
                public List<Optional<Claim>> take(List<Loan> loans, long leaseMillis) {
                    List<Loan> distinct = loans.stream().distinct().toList();
                    List<Optional<Claim>> taken = sound.take(distinct, leaseMillis);
                    return loans.stream()
                            .map(loan -> taken.get(distinct.indexOf(loan)))
                            .toList();
                }
            }),
            log("answers with what was taken first", "Lending.mixed", (log, clock) -> new ALog(log) {
                @Override
                public List<Optional<Claim>> take(List<Loan> loans, long leaseMillis) {
                    return sound.take(loans, leaseMillis).stream()
                            .sorted(Comparator.comparing(Optional::isEmpty))
                            .toList();
                }
            }),
            log("lends the last task first", "Lending.order", (log, clock) -> new ALog(log) {
                @Override
                public List<LentTask> lend(int max, long loanMillis, int window) {
                    List<LentTask> due = new ArrayList<>(sound.lend(MANY, loanMillis, FanoutLog.LENT_AT_MOST));
                    List<LentTask> last = List.copyOf(due.subList(Math.max(0, due.size() - max), due.size()));
                    due.removeAll(last);
                    sound.returnLoans(due.stream().map(LentTask::loan).toList());
                    return last;
                }
            }),
            log(
                    "uses the token of a returned loan again",
                    "Lending.tokensAreNew",
                    (log, clock) -> new SmallTokens(log)),
            log("does not count lent tasks", "Lending.status", (log, clock) -> new ALog(log) {
                @Override
                public QueueStatus queueStatus() {
                    QueueStatus status = sound.queueStatus();
                    return new QueueStatus(
                            status.due() - status.lent(), status.deferred(), status.dead(), status.lent());
                }
            }),
            log("does not say how many tasks are lent", "Lending.status", (log, clock) -> new ALog(log) {
                @Override
                public QueueStatus queueStatus() {
                    QueueStatus status = sound.queueStatus();
                    return new QueueStatus(status.due(), status.deferred(), status.dead(), 0);
                }
            }),
            Mutant.outbox(
                    "settles posts whose tasks are lent",
                    Leaves.Logs.class,
                    "Lending.unsettled",
                    (sound, clock) -> new AnOutbox(sound) {
                        @Override
                        public long settledMark() {
                            QueueStatus status = sound.fanout().queueStatus();
                            return status.lent() == status.unfinished() ? clock.millis() : sound.settledMark();
                        }
                    }),
            log("forgets invisible posts whose tasks are lent", "Lending.unsettled", (log, clock) -> new ALog(log) {
                @Override
                public long invisibleSince() {
                    QueueStatus status = sound.queueStatus();
                    return status.lent() == status.unfinished() ? 0 : sound.invisibleSince();
                }
            }),
            log("ends loans with a restart", "Lending.restart", (log, clock) -> new ALog(log) {
                private final Set<Loan> loans = ConcurrentHashMap.newKeySet();

                @Override
                public List<LentTask> lend(int max, long loanMillis, int window) {
                    List<LentTask> lent = sound.lend(max, loanMillis, window);
                    lent.forEach(task -> loans.add(task.loan()));
                    return lent;
                }

                @Override
                public OptionalInt restart(long loss, long finishedSince) {
                    sound.returnLoans(List.copyOf(loans));
                    return sound.restart(loss, finishedSince);
                }
            }),
            log(
                    "lets a task be finished that was lent again",
                    "LendingInAnyOrder.someOrders",
                    (log, clock) -> new ALog(log) {
                        private final Map<String, Loan> loans = new ConcurrentHashMap<>();

                        @Override
                        public List<LentTask> lend(int max, long loanMillis, int window) {
                            List<LentTask> lent = sound.lend(max, loanMillis, window);
                            lent.forEach(task -> loans.put(task.task().id(), task.loan()));
                            return lent;
                        }

                        @Override
                        public List<Boolean> finish(List<Claim> claims, long retainMillis) {
                            List<Claim> current = claims.stream()
                                    .map(claim -> Optional.ofNullable(
                                                    loans.get(claim.task().id()))
                                            .flatMap(loan -> sound.take(List.of(loan), retainMillis)
                                                    .get(0))
                                            .orElse(claim))
                                    .toList();
                            return sound.finish(current, retainMillis);
                        }
                    }),
            log("gives a loan to whoever comes", "Concurrency.lentAndClaimedOnce", (log, clock) -> new ALog(log) {
                private final Map<Loan, Claim> taken = new ConcurrentHashMap<>();

                @Override
                public synchronized List<Optional<Claim>> take(List<Loan> loans, long leaseMillis) {
                    return loans.stream()
                            .map(loan -> Optional.ofNullable(taken.computeIfAbsent(
                                    loan,
                                    first -> sound.take(List.of(first), leaseMillis)
                                            .get(0)
                                            .orElse(null))))
                            .toList();
                }
            }));

    private LogLendingMutants() {}

    private static LentTask attempted(LentTask lent) {
        Task task = lent.task();
        Task again = task.with(task.after(), task.attempts() + 1, task.outage());
        return new LentTask(again, lent.loan(), true);
    }

    /** Leases a task that is due. */
    private static Optional<Claim> leased(FanoutLog log, String id, long leaseMillis) {
        List<Claim> due = new ArrayList<>(log.claim(MANY, leaseMillis));
        Optional<Claim> wanted =
                due.stream().filter(claim -> claim.task().id().equals(id)).findFirst();
        wanted.ifPresent(due::remove);
        log.release(due.stream()
                .map(claim -> new Release(claim, claim.task().after(), 0))
                .toList());
        return wanted;
    }

    /** The claim, or the one that is got for it if it is a loan. */
    private static Claim taken(FanoutLog log, Claim claim) {
        Loan loan = new Loan(claim.task().id(), claim.lease());
        return log.take(List.of(loan), MANY).get(0).orElse(claim);
    }

    /** Takes loans to give them back. */
    private abstract static class Returning extends ALog {
        Returning(FanoutLog sound) {
            super(sound);
        }

        abstract String cursor(Task task);

        @Override
        public List<Boolean> returnLoans(List<Loan> loans) {
            List<Boolean> answers = new ArrayList<>();
            for (Optional<Claim> taken : sound.take(loans, MANY)) {
                taken.ifPresent(claim -> sound.release(List.of(new Release(claim, cursor(claim.task()), 0))));
                answers.add(taken.isPresent());
            }
            return answers;
        }
    }

    /** Calls every loan of a task by the task's attempts. */
    private static final class SmallTokens extends ALog {
        private final Map<Loan, Loan> loans = new ConcurrentHashMap<>();

        SmallTokens(FanoutLog sound) {
            super(sound);
        }

        @Override
        public List<LentTask> lend(int max, long loanMillis, int window) {
            Map<LentTask, Loan> lent = sound.lend(max, loanMillis, window).stream()
                    .collect(toMap(
                            task -> task,
                            task -> new Loan(task.task().id(), -1 - task.task().attempts())));
            lent.forEach((task, loan) -> loans.put(loan, task.loan()));
            return lent.entrySet().stream()
                    .map(entry -> new LentTask(
                            entry.getKey().task(),
                            entry.getValue(),
                            entry.getKey().lapsed()))
                    .toList();
        }

        @Override
        public List<Optional<Claim>> take(List<Loan> taken, long leaseMillis) {
            return sound.take(
                    taken.stream().map(loan -> loans.getOrDefault(loan, loan)).toList(), leaseMillis);
        }

        @Override
        public List<Boolean> returnLoans(List<Loan> returned) {
            return sound.returnLoans(returned.stream()
                    .map(loan -> loans.getOrDefault(loan, loan))
                    .toList());
        }
    }
}
