package io.feedkit.redis.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.redis.internal.outbox.TestOutbox;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Dead;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.QueueStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Dead tasks of all partitions")
class DeadLettersTest {

    private static final int COUNT = 250;
    private static final long LEASE = 60_000;

    private final TestOutbox truth = new TestOutbox();
    private final FanoutLog log = truth.outbox().fanout();
    private List<String> ids = List.of();

    @BeforeEach
    void moveManyToDeadLetters() {
        truth.publish(IntStream.range(0, COUNT)
                .mapToObj(n -> Post.of("author-" + n % 40, "p" + n, n))
                .toList());
        log.fail(log.claim(COUNT, LEASE).stream()
                .map(claim -> new Failure(claim, "", 0))
                .toList());
        log.claim(COUNT, LEASE)
                .forEach(claim -> assertThat(log.moveToDeadLetters(claim, 1, "poison \u2603"))
                        .isTrue());
        ids = log.dead("", 1000).stream().map(dead -> dead.task().id()).toList();
    }

    @AfterEach
    void close() {
        truth.close();
    }

    @Test
    @DisplayName("are listed in one order, page by page, as they were when they died")
    void pages() {
        assertThat(ids).hasSize(COUNT).isSorted();
        List<String> walked = new ArrayList<>();
        for (List<Dead> page = log.dead("", 17); !page.isEmpty(); ) {
            page.forEach(dead -> walked.add(dead.task().id()));
            assertThat(page).allSatisfy(dead -> {
                assertThat(dead.task().attempts()).isEqualTo(1);
                assertThat(dead.reason()).isEqualTo("poison \u2603");
                assertThat(dead.died()).isEqualTo(truth.clock().millis());
            });
            page = log.dead(walked.get(walked.size() - 1), 17);
        }
        assertThat(walked).isEqualTo(ids);
    }

    @Test
    @DisplayName("are listed above anything, be it an id or not")
    void aboveAnything() {
        String id = ids.get(100);
        List<String> bounds = List.of(id.substring(0, 5), id.substring(0, 1), id + "0", id + "~", "0", "g", "", "7~");
        for (String after : bounds) {
            assertThat(log.dead(after, 1000))
                    .as("above %s", after)
                    .extracting(dead -> dead.task().id())
                    .isEqualTo(ids.stream()
                            .filter(other -> other.compareTo(after) > 0)
                            .toList());
        }
    }

    @Test
    @DisplayName("are replayed whatever the reason was, which is cut between characters")
    void longReason() {
        log.replay(ids.subList(0, 1));
        assertThat(log.moveToDeadLetters(log.claim(1, LEASE).get(0), 1, "\ud83d\ude00\u2603\u2603".repeat(200)))
                .isTrue();
        Dead dead = log.dead("", 1).get(0);
        assertThat(dead.reason()).isEqualTo("\ud83d\ude00\u2603\u2603".repeat(125));
        log.replay(ids.subList(0, 1));
        assertThat(log.moveToDeadLetters(log.claim(1, LEASE).get(0), 1, "x".repeat(499) + "\ud83d\ude00 and more"))
                .isTrue();
        assertThat(log.dead("", 1).get(0).reason()).isEqualTo("x".repeat(499) + "\ud83d\ude00");
        log.replay(ids.subList(0, 1));
        assertThat(log.claim(1, LEASE).get(0).task()).isEqualTo(dead.task().at(""));
    }

    @Test
    @DisplayName("are replayed by the hundreds, and what is no whole id of one is left alone")
    void replayed() {
        List<String> asked = new ArrayList<>(ids);
        asked.addAll(List.of(ids.get(0).substring(0, 13), ids.get(1) + "0", "", "\u0660", "zzz"));
        assertThat(log.replay(asked)).isEqualTo(COUNT);
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(COUNT, 0, 0, 0));
        assertThat(log.claim(1000, LEASE))
                .extracting(claim -> claim.task().id())
                .containsExactlyInAnyOrderElementsOf(ids);
    }
}
