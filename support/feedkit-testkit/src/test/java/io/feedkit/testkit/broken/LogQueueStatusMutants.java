package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.log;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.QueueStatus;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.PulledRegister;
import io.feedkit.testkit.broken.Parts.ALog;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/** Logs that are wrong about how much is in the queue, and since when a post has been waiting. */
final class LogQueueStatusMutants {

    static final List<Mutant> ALL = List.of(
            statuses(
                    "counts what waits on purpose as due",
                    "Backlog.deferred",
                    status -> new QueueStatus(status.unfinished(), 0, status.dead(), status.lent())),
            statuses(
                    "does not count what waits on purpose",
                    "Backlog.retractions",
                    status -> new QueueStatus(status.due(), 0, status.dead(), status.lent())),
            statuses(
                    "does not count all that is due",
                    "Backlog.due",
                    status -> new QueueStatus(
                            Math.max(0, status.due() - 1), status.deferred(), status.dead(), status.lent())),
            statuses(
                    "counts dead tasks as due",
                    "Backlog.due",
                    status -> new QueueStatus(
                            status.due() + status.dead(), status.deferred(), status.dead(), status.lent())),
            ages("forgets since when a post has been waiting", "Backlog.invisible", log -> new Aging(log) {
                @Override
                public long invisibleSince() {
                    return 0;
                }
            }),
            ages("forgets a post whose task was put off", "Backlog.invisible", log -> new Aging(log) {
                @Override
                public List<Boolean> release(List<Release> releases) {
                    age(0);
                    return sound.release(releases);
                }
            }),
            ages("forgets a post whose task was split", "Backlog.parts", log -> new Aging(log) {
                @Override
                public boolean split(Claim claim, List<KeyRange> ranges) {
                    age(0);
                    return sound.split(claim, ranges);
                }
            }),
            ages("lets a retraction age the backlog", "Backlog.retractions", log -> new Aging(log) {
                @Override
                public boolean retractLater(Claim claim, long delayMillis) {
                    age(claim.task().created());
                    return sound.retractLater(claim, delayMillis);
                }
            }),
            ages("lets what is done again age the backlog", "Backlog.restarted", log -> new Aging(log) {
                @Override
                public OptionalInt restart(long loss, long finishedSince) {
                    age(1);
                    return sound.restart(loss, finishedSince);
                }
            }),
            ages("lets a part of what is done again age the backlog", "Backlog.restarted", log -> new Aging(log) {
                @Override
                public boolean split(Claim claim, List<KeyRange> ranges) {
                    age(claim.task().created());
                    return sound.split(claim, ranges);
                }
            }),
            ages("lets a replayed dead letter age the backlog", "Backlog.replayed", log -> new Aging(log) {
                @Override
                public int replay(Collection<String> ids) {
                    age(1);
                    return sound.replay(ids);
                }
            }),
            ages("lets a catch-up age the backlog", "Backlog.catchUp", log -> new Aging(log) {
                @Override
                public boolean catchUp(String author, PulledRegister.Entry entry) {
                    age(1);
                    return sound.catchUp(author, entry);
                }
            }));

    private LogQueueStatusMutants() {}

    /** A log that tells another age from some call on. */
    private abstract static class Aging extends ALog {
        private long told = -1;

        Aging(FanoutLog log) {
            super(log);
        }

        final void age(long since) {
            told = since;
        }

        @Override
        public long invisibleSince() {
            return told < 0 ? sound.invisibleSince() : told;
        }
    }

    private static Mutant ages(String name, String caughtBy, UnaryOperator<FanoutLog> breaking) {
        return log(name, caughtBy, (log, clock) -> breaking.apply(log));
    }

    private static Mutant statuses(String name, String caughtBy, UnaryOperator<QueueStatus> breaking) {
        return log(name, caughtBy, (log, clock) -> new ALog(log) {
            @Override
            public QueueStatus queueStatus() {
                return breaking.apply(sound.queueStatus());
            }
        });
    }
}
