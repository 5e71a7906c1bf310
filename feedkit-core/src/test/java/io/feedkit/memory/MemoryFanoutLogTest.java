package io.feedkit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The fan-out log in memory")
class MemoryFanoutLogTest {

    private final SettableClock clock = new SettableClock(5_000);
    private final MemoryFanoutLog log = new MemoryFanoutLog(clock);

    @Test
    @DisplayName("leases no task twice at the same time, and loses none, while leases run out")
    void exclusiveLeases() throws Exception {
        int tasks = 2_000;
        record(tasks);
        Set<Long> leases = ConcurrentHashMap.newKeySet();

        List<List<String>> finished = Concurrently.run(4, thread -> {
            List<String> mine = new ArrayList<>();
            while (log.queueStatus().unfinished() > 0) {
                List<Claim> claims = log.claim(3, 100);
                for (Claim claim : claims) {
                    assertThat(leases.add(claim.lease())).isTrue();
                }
                if (thread == 0) {
                    clock.set(clock.millis() + 10);
                }
                List<Boolean> answers = log.finish(claims, 0);
                for (int i = 0; i < claims.size(); i++) {
                    if (answers.get(i)) {
                        mine.add(claims.get(i).task().id());
                    }
                }
            }
            return mine;
        });

        List<String> all = finished.stream().flatMap(List::stream).toList();
        assertThat(all).hasSize(tasks).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("lets a task whose lease ran out take its turn as of then, and refuses its old lease")
    void expiredLease() {
        record(1);
        Claim abandoned = log.claim(1, 100).get(0);
        clock.set(5_050);
        record(1);
        clock.set(5_200);
        record(1);

        List<Claim> claims = log.claim(3, 100);

        assertThat(claims.stream().map(claim -> claim.task().created())).containsExactly(5_050L, 5_000L, 5_200L);
        assertThat(claims.get(1).task().attempts()).isEqualTo(1);
        assertThat(log.checkpoint(List.of(new Progress(abandoned, "x")), 100)).containsExactly(false);
    }

    @Test
    @DisplayName("treats a lease that ran out as lost, even if nobody claimed the task since")
    void leaseEndsByItself() {
        record(1);
        Claim claim = log.claim(1, 100).get(0);
        clock.set(5_100);

        assertThat(log.finish(List.of(claim), 0)).containsExactly(false);
        assertThat(log.queueStatus().unfinished()).isEqualTo(1);
    }

    @Test
    @DisplayName("takes turns among a hundred thousand tasks, each given back after every batch")
    void manyTasks() {
        int tasks = 100_000;
        record(tasks);

        for (int round = 1; round <= 2; round++) {
            Set<String> seen = new HashSet<>();
            for (int i = 0; i < tasks; i += 100) {
                List<Claim> claims = log.claim(100, 1_000);
                claims.forEach(claim -> seen.add(claim.task().id()));
                log.release(
                        claims.stream().map(claim -> new Release(claim, "r", 0)).toList());
            }
            assertThat(seen).hasSize(tasks);
        }
    }

    @Test
    @DisplayName("forgets finished tasks once their time is up")
    void forgets() {
        record(10);
        List<Claim> claims = log.claim(10, 1_000);
        log.finish(claims.subList(0, 5), 100);
        clock.set(5_050);
        log.finish(claims.subList(5, 10), 100);
        clock.set(5_100);

        assertThat(log.restart(0, 0)).hasValue(5);
        assertThat(log.queueStatus().unfinished()).isEqualTo(5);
        assertThat(log.restart(0, 0)).hasValue(0);
    }

    @Test
    @DisplayName("records a catch-up once, until all parts of it are done")
    void catchUpInParts() {
        Position position = Position.of(Post.of("author", "p", 1));
        PulledRegister.Entry entry = new PulledRegister.Entry(position, position, 7);
        assertThat(log.catchUp("author", entry)).isTrue();
        log.split(log.claim(1, 100).get(0), List.of(new KeyRange("", "m"), new KeyRange("m", KeyRange.END)));

        List<Claim> parts = log.claim(2, 100);
        log.finish(parts.subList(0, 1), 0);
        assertThat(log.catchUp("author", entry)).isFalse();
        log.finish(parts.subList(1, 2), 0);

        assertThat(log.catchUp("author", entry)).isTrue();
    }

    @Test
    @DisplayName("has a settled mark that never passes a task recorded later, even if that read the clock before")
    void lateRecorder() {
        long readEarly = clock.millis();
        clock.set(6_000);
        long mark = log.settledMark();

        long created = log.record(Kind.PUSH, Position.of(Post.of("author", "p", 1)), readEarly);

        assertThat(mark).isEqualTo(6_000);
        assertThat(created).isGreaterThanOrEqualTo(mark);
        assertThat(log.settledMark()).isEqualTo(created);
    }

    private void record(int tasks) {
        for (int i = 0; i < tasks; i++) {
            log.record(Kind.PUSH, Position.of(Post.of("author", "p" + i, i)), clock.millis());
        }
    }
}
