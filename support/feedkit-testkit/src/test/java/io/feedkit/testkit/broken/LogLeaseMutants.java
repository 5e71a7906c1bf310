package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.log;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.KeyRange;
import io.feedkit.testkit.broken.Parts.ALog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Logs that are wrong about leases: who has one, for how long, in whose turn, and what can be done without one. */
final class LogLeaseMutants {

    private static final int MANY = 1000;

    static final List<Mutant> ALL = List.of(
            log("leases one task twice", "Claiming.exclusive", (log, clock) -> new ALog(log) {
                private final Map<String, Claim> leased = new ConcurrentHashMap<>();

                @Override
                public List<Claim> claim(int max, long leaseMillis) {
                    List<Claim> claims = sound.claim(max, leaseMillis);
                    if (claims.isEmpty()) {
                        return leased.values().stream().limit(max).toList();
                    }
                    claims.forEach(claim -> leased.put(claim.task().id(), claim));
                    return claims;
                }
            }),
            log("leases a task twice when workers race", "Concurrency.everyTaskOnce", (log, clock) -> new Racy(log)),
            log(
                    "knows the leases of its own process only",
                    "Concurrency.leasedInAnotherProcess",
                    (log, clock) -> new OwnLeases(log)),
            log("leases more tasks than asked for", "Claiming.max", (log, clock) -> new ALog(log) {
                @Override
                public List<Claim> claim(int max, long leaseMillis) {
                    return sound.claim(max + 1, leaseMillis);
                }
            }),
            log("leases for twice as long", "Claiming.leaseLasts", (log, clock) -> new ALog(log) {
                @Override
                public List<Claim> claim(int max, long leaseMillis) {
                    return sound.claim(max, leaseMillis * 2);
                }
            }),
            log("leases for half as long", "Claiming.leaseLasts", (log, clock) -> new ALog(log) {
                @Override
                public List<Claim> claim(int max, long leaseMillis) {
                    return sound.claim(max, leaseMillis / 2);
                }
            }),
            log("leases the last task first", "Claiming.longestWaitingFirst", (log, clock) -> new ALog(log) {
                @Override
                public List<Claim> claim(int max, long leaseMillis) {
                    List<Claim> claims = new ArrayList<>(sound.claim(MANY, leaseMillis));
                    List<Claim> last = List.copyOf(claims.subList(Math.max(0, claims.size() - max), claims.size()));
                    claims.removeAll(last);
                    giveBack(sound, claims);
                    return last;
                }
            }),
            log("leases the same task before all others", "Claiming.takeTurns", (log, clock) -> new ALog(log) {
                @Override
                public List<Claim> claim(int max, long leaseMillis) {
                    List<Claim> claims = new ArrayList<>(sound.claim(MANY, leaseMillis));
                    claims.sort(
                            java.util.Comparator.comparing(claim -> claim.task().id()));
                    List<Claim> first = List.copyOf(claims.subList(0, Math.min(max, claims.size())));
                    claims.removeAll(first);
                    giveBack(sound, claims);
                    return first;
                }
            }),
            log("uses a lease's token again", "Claiming.tokensAreNew", (log, clock) -> new OneToken(log)),
            log(
                    "does not extend the lease with a checkpoint",
                    "Progress.checkpointExtendsLease",
                    (log, clock) -> new ALog(log) {
                        @Override
                        public List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
                            return sound.checkpoint(progress, leaseMillis / 4);
                        }
                    }),
            log("records the checkpoint of a lost lease", "LostLeases.takenOver", (log, clock) -> new Careless(log) {
                @Override
                public List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
                    return sound.checkpoint(
                            progress.stream()
                                    .map(step -> new Progress(holder(step.claim()), step.after()))
                                    .toList(),
                            leaseMillis);
                }
            }),
            log("releases a task for a lost lease", "LostLeases.takenOver", (log, clock) -> new Careless(log) {
                @Override
                public List<Boolean> release(List<Release> releases) {
                    return sound.release(releases.stream()
                            .map(release ->
                                    new Release(holder(release.claim()), release.after(), release.delayMillis()))
                            .toList());
                }
            }),
            log("finishes a task for a lost lease", "LostLeases.takenOver", (log, clock) -> new Careless(log) {
                @Override
                public List<Boolean> finish(List<Claim> claims, long retainMillis) {
                    return sound.finish(claims.stream().map(this::holder).toList(), retainMillis);
                }
            }),
            log("fails a task for a lost lease", "LostLeases.takenOver", (log, clock) -> new Careless(log) {
                @Override
                public List<Boolean> fail(List<Failure> failures) {
                    return sound.fail(failures.stream()
                            .map(failure ->
                                    new Failure(holder(failure.claim()), failure.reason(), failure.delayMillis()))
                            .toList());
                }
            }),
            log(
                    "moves a task to the dead letters for a lost lease",
                    "LostLeases.takenOver",
                    (log, clock) -> new Careless(log) {
                        @Override
                        public boolean moveToDeadLetters(Claim claim, int attempts, String reason) {
                            return sound.moveToDeadLetters(holder(claim), attempts, reason);
                        }
                    }),
            log("splits a task for a lost lease", "LostLeases.takenOver", (log, clock) -> new Careless(log) {
                @Override
                public boolean split(Claim claim, List<KeyRange> ranges) {
                    return sound.split(holder(claim), ranges);
                }
            }),
            log("retracts again for a lost lease", "LostLeases.takenOver", (log, clock) -> new Careless(log) {
                @Override
                public boolean retractLater(Claim claim, long delayMillis) {
                    return sound.retractLater(holder(claim), delayMillis);
                }
            }),
            log("says that a finished task was finished again", "LostLeases.finished", (log, clock) -> new ALog(log) {
                @Override
                public List<Boolean> finish(List<Claim> claims, long retainMillis) {
                    sound.finish(claims, retainMillis);
                    return claims.stream().map(claim -> true).toList();
                }
            }));

    private LogLeaseMutants() {}

    private static void giveBack(FanoutLog log, List<Claim> claims) {
        log.release(claims.stream()
                .map(claim -> new Release(claim, claim.task().after(), 0))
                .toList());
    }

    /** Knows who holds a task, and takes anybody for the holder. */
    private abstract static class Careless extends ALog {
        private final Map<String, Claim> holders = new ConcurrentHashMap<>();

        Careless(FanoutLog sound) {
            super(sound);
        }

        @Override
        public List<Claim> claim(int max, long leaseMillis) {
            List<Claim> claims = sound.claim(max, leaseMillis);
            claims.forEach(claim -> holders.put(claim.task().id(), claim));
            return claims;
        }

        Claim holder(Claim claim) {
            return holders.getOrDefault(claim.task().id(), claim);
        }
    }

    /** Calls every lease 1, and believes whoever says so. */
    private static final class OneToken extends Careless {
        OneToken(FanoutLog sound) {
            super(sound);
        }

        @Override
        public List<Claim> claim(int max, long leaseMillis) {
            return super.claim(max, leaseMillis).stream()
                    .map(claim -> new Claim(claim.task(), 1))
                    .toList();
        }

        @Override
        public List<Boolean> release(List<Release> releases) {
            return sound.release(releases.stream()
                    .map(release -> new Release(holder(release.claim()), release.after(), release.delayMillis()))
                    .toList());
        }
    }

    /** Keeps leases in memory: to another process all tasks seem to wait. */
    private static final class OwnLeases extends ALog {
        private final Set<String> leased = ConcurrentHashMap.newKeySet();

        OwnLeases(FanoutLog sound) {
            super(sound);
        }

        @Override
        public synchronized List<Claim> claim(int max, long leaseMillis) {
            List<Claim> due = sound.claim(MANY, leaseMillis);
            giveBack(sound, due);
            return due.stream()
                    .filter(claim -> leased.add(claim.task().id()))
                    .limit(max)
                    .toList();
        }
    }

    /** Looks for due tasks and leases them in two steps: who comes between them gets the same. */
    private static final class Racy extends ALog {
        private final Gap gap = new Gap();
        private final Set<Claim> leasing = ConcurrentHashMap.newKeySet();
        private volatile boolean leasedTwice;

        Racy(FanoutLog sound) {
            super(sound);
        }

        @Override
        public List<Claim> claim(int max, long leaseMillis) {
            List<Claim> others = leasing.stream().limit(max).toList();
            if (!others.isEmpty()) {
                leasedTwice = true;
                return others;
            }
            List<Claim> claims = sound.claim(max, leaseMillis);
            if (!claims.isEmpty()) {
                leasing.addAll(claims);
                gap.awaitRival(() -> leasedTwice);
                leasing.removeAll(Set.copyOf(claims));
            }
            return claims;
        }
    }
}
