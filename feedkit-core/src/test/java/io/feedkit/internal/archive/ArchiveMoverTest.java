package io.feedkit.internal.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The mover of old posts")
class ArchiveMoverTest {

    private final Tiers tiers = new Tiers().filled();

    @ParameterizedTest
    @EnumSource(Order.class)
    @DisplayName("takes a step between the pages of a walk across the boundary, which has every post once")
    void walk(Order order) {
        for (int limit = 1; limit <= 9; limit++) {
            Tiers fresh = new Tiers().filled();
            ArchiveMover mover = fresh.mover(Tiers.Hook.NONE);
            List<Post> walked = new ArrayList<>();
            PositionRange rest = PositionRange.ALL;
            int size = limit;
            while (size == limit) {
                fresh.nanos.addAndGet(mover.step().pause().toNanos());
                List<Post> page = fresh.outbox.page(new PageQuery(Tiers.AUTHORS, rest, order, limit));
                walked.addAll(page);
                size = page.size();
                if (size == limit) {
                    Position last = Position.of(page.get(limit - 1));
                    rest = order == Order.NEWEST_FIRST ? PositionRange.below(last) : PositionRange.from(last.next());
                }
            }
            List<Post> sorted = new ArrayList<>(fresh.expected);
            sorted.sort(order == Order.NEWEST_FIRST ? (a, b) -> Position.compare(b, a) : Position::compare);
            assertThat(walked).isEqualTo(sorted);
        }
    }

    @Test
    @DisplayName("removes nothing above a boundary that another engine does not know, whenever that engine looked")
    void otherEngines() {
        for (int offset = 0; offset <= 1000; offset += 50) {
            Tiers fresh = new Tiers().filled();
            Outbox other = fresh.reader(Tiers.Hook.NONE);
            ArchiveMover mover = fresh.mover(Tiers.Hook.NONE);
            for (int tick = 0; tick < 60; tick++) {
                if (tick * 50 >= offset) {
                    mover.step();
                }
                assertThat(Tiers.walk(other, Order.NEWEST_FIRST, 60)).hasSize(60);
                assertThat(Tiers.walk(other, Order.OLDEST_FIRST, 60)).hasSize(60);
                fresh.nanos.addAndGet(Duration.ofMillis(50).toNanos());
            }
            assertThat(fresh.archive.size()).isEqualTo(45);
        }
    }

    @Test
    @DisplayName("waits before its first pass until all engines know the boundary, and then for the interval")
    void pauses() {
        ArchiveMover mover = tiers.mover(Tiers.Hook.NONE);
        ArchiveMover.Step first = mover.step();
        assertThat(first.moved()).isZero();
        assertThat(first.pause()).isEqualTo(ArchiveBoundary.KNOWN_AFTER);
        tiers.nanos.addAndGet(first.pause().toNanos() - 1);
        assertThat(mover.step().moved()).isZero();
        tiers.nanos.addAndGet(1);
        ArchiveMover.Step step = mover.step();
        assertThat(step.moved()).isEqualTo(Tiers.BATCH);
        assertThat(step.pause()).isEqualTo(Duration.ofMillis(Tiers.BATCH));
        while (!step.passEnded()) {
            step = mover.step();
        }
        assertThat(step.pause()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    @DisplayName("rests as long as a step took, so that it never uses more than half of the time")
    void rests() {
        ArchiveMover mover = tiers.mover((operation, isBefore) -> {
            if (operation.equals("archive.store") && isBefore) {
                tiers.nanos.addAndGet(Duration.ofMillis(300).toNanos());
            }
        });
        tiers.nanos.addAndGet(mover.step().pause().toNanos());
        assertThat(mover.step().pause()).isEqualTo(Duration.ofMillis(300));
    }

    @Test
    @DisplayName("leaves posts whose fan-out is unfinished, or that their author's register entry covers")
    void needed() {
        Post late = Post.of("bob", "late", Tiers.post("bob", 0).publishedAt().toEpochMilli());
        tiers.publish(List.of(late));
        tiers.clock.advance(Duration.ofMillis(5));
        tiers.warm.pulled().put(List.of(Tiers.post("amy", 3), Tiers.post("amy", 12)));
        tiers.pass(tiers.mover(Tiers.Hook.NONE));
        // The unfinished task holds the settled mark back, and with it the posts of its author.
        assertThat(tiers.warmKeys()).contains(late.key());
        assertThat(tiers.warmKeys())
                .contains(
                        Tiers.post("amy", 3).key(),
                        Tiers.post("amy", 7).key(),
                        Tiers.post("amy", 12).key())
                .doesNotContain(
                        Tiers.post("amy", 2).key(), Tiers.post("amy", 13).key());
        tiers.assertComplete();
        tiers.settle();
        tiers.pass(tiers.mover(Tiers.Hook.NONE));
        assertThat(tiers.warmKeys()).doesNotContain(late.key());
        tiers.assertComplete();
    }

    @Test
    @DisplayName("follows the clock: what becomes old later moves later")
    void later() {
        ArchiveMover mover = tiers.mover(Tiers.Hook.NONE);
        assertThat(tiers.pass(mover)).isEqualTo(45);
        tiers.clock.advance(Duration.ofSeconds(2));
        tiers.nanos.addAndGet(Duration.ofHours(1).toNanos());
        assertThat(tiers.pass(mover)).isZero();
        tiers.nanos.addAndGet(Duration.ofHours(1).toNanos());
        assertThat(tiers.pass(mover)).isEqualTo(6);
        tiers.assertComplete();
    }
}
