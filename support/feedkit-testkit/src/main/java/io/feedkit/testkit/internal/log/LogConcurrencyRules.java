package io.feedkit.testkit.internal.log;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Concurrent workers on one log. */
@Tag("concurrency")
public abstract class LogConcurrencyRules extends LogRules {

    private static final int MOST_TASKS = 200;

    protected LogConcurrencyRules(OutboxKit kit) {
        super(kit);
    }

    /** Claims until no task is due; there are at most {@value #MOST_TASKS} tasks. */
    private List<Claim> claimUntilEmpty() {
        List<Claim> claims = new ArrayList<>();
        for (List<Claim> next = log.claim(3, LEASE); !next.isEmpty(); next = log.claim(3, LEASE)) {
            claims.addAll(next);
            assertThat(claims).hasSizeLessThanOrEqualTo(MOST_TASKS);
        }
        return claims;
    }

    private static List<String> ids(List<List<Claim>> claims) {
        return claims.stream()
                .flatMap(List::stream)
                .map(claim -> claim.task().id())
                .toList();
    }

    @Test
    @DisplayName("concurrent workers lease every task, and none of them twice")
    void everyTaskOnce() {
        List<Post> posts = posts("bob", MOST_TASKS);
        outbox.publish(posts);
        List<List<Claim>> claims = Race.run(kit.threads(), thread -> claimUntilEmpty());
        assertThat(claims.stream()
                        .flatMap(List::stream)
                        .map(claim -> claim.task().post()))
                .containsExactlyInAnyOrderElementsOf(posts);
    }

    @Test
    @DisplayName("a task leased by a worker of one process is not due in another process until it is released")
    void leasedInAnotherProcess() {
        FanoutLog another = kit.anotherLog();
        outbox.publish(posts("bob", 2));
        Claim claim = outbox.claim();
        List<Claim> theirs = another.claim(MOST_TASKS, LEASE);
        assertThat(ids(List.of(theirs))).hasSize(1).doesNotContain(claim.task().id());
        assertThat(outbox.nothingDue()).isTrue();
        assertThat(another.finish(theirs, RETAIN)).containsExactly(true);
        release(claim, "m", 0);
        assertThat(ids(List.of(another.claim(MOST_TASKS, LEASE))))
                .containsExactly(claim.task().id());
    }

    @Test
    @DisplayName("two workers never hold one task, in one process or in two, however often it is released")
    void neverInTwoHands() {
        FanoutLog another = kit.anotherLog();
        outbox.publish(posts("bob", 5));
        Set<String> held = ConcurrentHashMap.newKeySet();
        Race.run(kit.threads(), thread -> {
            FanoutLog own = thread % 2 == 0 ? log : another;
            for (int i = 0; i < 60; i++) {
                for (Claim claim : own.claim(2, LEASE)) {
                    assertThat(held.add(claim.task().id()))
                            .as("%s has one holder", claim)
                            .isTrue();
                    assertThat(own.checkpoint(List.of(new Progress(claim, "m")), LEASE))
                            .containsExactly(true);
                    held.remove(claim.task().id());
                    assertThat(own.release(List.of(new Release(claim, "m", 0)))).containsExactly(true);
                }
            }
            return true;
        });
        assertThat(outbox.claimAll()).hasSize(5);
    }

    @Test
    @DisplayName("abandoned tasks are taken over once each")
    void takenOverOnce() {
        outbox.publish(posts("bob", 60));
        List<Claim> abandoned = log.claim(60, shortLease());
        kit.outlast();
        List<List<Claim>> claims = Race.run(kit.threads(), thread -> claimUntilEmpty());
        assertThat(ids(claims)).containsExactlyInAnyOrderElementsOf(ids(List.of(abandoned)));
        assertThat(claims.stream().flatMap(List::stream))
                .extracting(claim -> claim.task().attempts())
                .containsOnly(1);
    }

    @Test
    @DisplayName("a late worker and the worker that takes over do not both hold the task")
    void lateCheckpoint() {
        for (int round = 0; round < kit.rounds(); round++) {
            publish(round);
            Claim late = outbox.claim(1);
            kit.tick();
            List<Boolean> holds = Race.run(
                    2,
                    thread -> thread == 0
                            ? log.checkpoint(List.of(new Progress(late, "m")), LEASE)
                                    .get(0)
                            : !log.claim(1, LEASE).isEmpty());
            assertThat(holds).isNotEqualTo(List.of(true, true));
            if (holds.equals(List.of(false, false))) {
                outbox.finish(outbox.claim());
            }
        }
    }

    @Test
    @DisplayName("if many threads finish one claim at once, one succeeds")
    void finishOnce() {
        for (int round = 0; round < kit.rounds(); round++) {
            publish(round);
            Claim claim = outbox.claim();
            assertThat(Race.run(
                            kit.threads(),
                            thread -> log.finish(List.of(claim), RETAIN).get(0)))
                    .containsOnlyOnce(true);
        }
        assertThat(log.restart(0, 0)).hasValue(kit.rounds());
    }

    @Test
    @DisplayName("a task is either finished or split, not both")
    void finishOrSplit() {
        for (int round = 0; round < kit.rounds(); round++) {
            publish(round);
            Claim claim = outbox.claim();
            List<Boolean> results = Race.run(
                    2,
                    thread -> thread == 0
                            ? log.finish(List.of(claim), RETAIN).get(0)
                            : log.split(claim, LogSplitRules.THIRDS));
            assertThat(results).containsOnlyOnce(true);
            assertThat(outbox.claimAll()).hasSize(results.get(1) ? 3 : 0);
        }
    }

    @Test
    @DisplayName("if many threads record one catch-up at once, one succeeds")
    void catchUpOnce() {
        for (int round = 0; round < kit.rounds(); round++) {
            outbox.register().put(List.of(post("bob", round)));
            Entry entry = outbox.entry("bob");
            assertThat(Race.run(kit.threads(), thread -> log.catchUp("bob", entry)))
                    .containsOnlyOnce(true);
            assertThat(outbox.claimAll()).hasSize(1);
        }
    }

    @Test
    @DisplayName("concurrent calls replay each dead task once, and restart each finished task once")
    void replayAndRestartOnce() {
        outbox.publish(posts("bob", 40));
        List<Claim> claims = outbox.claimAll();
        List<String> ids = ids(List.of(claims));
        claims.subList(0, 20).forEach(this::moveToDeadLetters);
        claims.subList(20, 40).forEach(outbox::finish);
        List<Integer> woken = Race.run(
                kit.threads(), thread -> log.replay(ids) + log.restart(0, 0).orElseThrow());
        assertThat(woken.stream().mapToInt(Integer::intValue).sum()).isEqualTo(40);
        assertThat(ids(List.of(outbox.claimAll()))).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    @DisplayName("a dead task is either replayed or discarded, only once, in one process or in two")
    void replayOrDiscard() {
        FanoutLog another = kit.anotherLog();
        outbox.publish(posts("bob", 40));
        List<Claim> claims = outbox.claimAll();
        claims.forEach(this::moveToDeadLetters);
        List<String> ids = ids(List.of(claims));
        List<Integer> changed = Race.run(4, thread -> {
            FanoutLog own = thread < 2 ? log : another;
            int count = 0;
            for (String id : ids) {
                count += thread % 2 == 0 ? own.replay(List.of(id)) : own.discard(List.of(id));
            }
            return count;
        });
        assertThat(changed.stream().mapToInt(Integer::intValue).sum()).isEqualTo(40);
        assertThat(log.dead("", 1)).isEmpty();
        assertThat(outbox.claimAll()).hasSize(changed.get(0) + changed.get(2));
    }

    @Test
    @DisplayName(
            "with relays, workers that take loans and workers that claim, in two processes, one worker gets each task")
    void lentAndClaimedOnce() {
        FanoutLog another = kit.anotherLog();
        outbox.publish(posts("bob", MOST_TASKS));
        List<Queue<Loan>> copies = List.of(new ConcurrentLinkedQueue<>(), new ConcurrentLinkedQueue<>());
        Queue<Loan> all = new ConcurrentLinkedQueue<>();
        Map<String, Integer> held = new ConcurrentHashMap<>();
        Race.run(kit.threads(), thread -> {
            FanoutLog own = thread % 2 == 0 ? log : another;
            Queue<Loan> copy = copies.get(thread / 2 % 2);
            for (int i = 0; i < 3 * MOST_TASKS && (held.size() < MOST_TASKS || !copy.isEmpty()); i++) {
                own.lend(5, LEASE, MOST_TASKS).forEach(lent -> {
                    all.add(lent.loan());
                    copies.forEach(each -> each.add(lent.loan()));
                });
                List<Loan> received = Stream.generate(copy::poll)
                        .limit(6)
                        .takeWhile(Objects::nonNull)
                        .toList();
                Stream.concat(
                                own.take(received, LEASE).stream().flatMap(Optional::stream),
                                thread % 3 == 0 ? own.claim(1, LEASE).stream() : Stream.empty())
                        .forEach(claim -> held.merge(claim.task().id(), 1, Integer::sum));
            }
            return true;
        });
        assertThat(held).hasSize(MOST_TASKS);
        assertThat(held.values()).containsOnly(1);
        assertThat(List.of(log, another))
                .as("a message that is delivered again")
                .allSatisfy(
                        each -> assertThat(each.take(List.copyOf(all), LEASE)).containsOnly(Optional.empty()));
    }
}
