package io.feedkit.internal.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.Published.Status;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A mover that dies, or works beside others, between any two calls")
class ArchiveMoverFailuresTest {

    private static final int DUE = 45;
    private static final int RECENT = 15;

    /** A death of the process. */
    private static final class Death extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Acts at one moment: before or after one of the calls. */
    private static final class Moment implements Tiers.Hook {
        private final int number;
        private final Runnable action;
        private int passed;

        Moment(int number, Runnable action) {
            this.number = number;
            this.action = action;
        }

        @Override
        public void at(String operation, boolean isBefore) {
            if (++passed == number) {
                action.run();
            }
        }
    }

    private static void die() {
        throw new Death();
    }

    /** How many moments a mover's pass has. */
    private static int moments() {
        Moment counter = new Moment(0, () -> {});
        Tiers tiers = new Tiers().filled();
        assertThat(tiers.pass(tiers.mover(counter))).isEqualTo(DUE);
        return counter.passed;
    }

    private static void passOrDie(Tiers tiers, ArchiveMover mover) {
        try {
            tiers.pass(mover);
        } catch (Death e) {
            assertThat(e).isNotNull();
        }
    }

    @Test
    @DisplayName("moves everything that is due, and nothing else")
    void moves() {
        Tiers tiers = new Tiers().filled();
        assertThat(tiers.pass(tiers.mover(Tiers.Hook.NONE))).isEqualTo(DUE);
        tiers.assertComplete();
        assertThat(tiers.archive.size()).isEqualTo(DUE);
        assertThat(tiers.warmKeys()).hasSize(RECENT);
        assertThat(tiers.pass(tiers.mover(Tiers.Hook.NONE))).isZero();
    }

    @Test
    @DisplayName("loses no post and shows none twice when it dies, and another mover finishes its work")
    void dies() {
        int moments = moments();
        assertThat(moments).isGreaterThan(40);
        for (int moment = 1; moment <= moments; moment++) {
            Tiers tiers = new Tiers().filled();
            passOrDie(tiers, tiers.mover(new Moment(moment, ArchiveMoverFailuresTest::die)));
            tiers.assertComplete();
            tiers.pass(tiers.mover(Tiers.Hook.NONE));
            tiers.assertComplete();
            assertThat(tiers.archive.size()).as("moment %s", moment).isEqualTo(DUE);
            assertThat(tiers.warmKeys()).hasSize(RECENT);
        }
    }

    @Test
    @DisplayName("continues with the same batch after a failed call")
    void failsAndContinues() {
        int moments = moments();
        for (int moment = 1; moment <= moments; moment++) {
            Tiers tiers = new Tiers().filled();
            ArchiveMover mover = tiers.mover(new Moment(moment, ArchiveMoverFailuresTest::die));
            passOrDie(tiers, mover);
            tiers.pass(mover);
            tiers.assertComplete();
            assertThat(tiers.archive.size()).as("moment %s", moment).isEqualTo(DUE);
        }
    }

    @Test
    @DisplayName("never shows a deleted post, whenever it is deleted, also if the mover dies afterwards")
    void deletes() {
        int moments = moments();
        List<Post> victims = List.of(Tiers.post("amy", 0), Tiers.post("bob", 9), Tiers.post("cid", 19));
        for (int moment = 1; moment <= moments; moment++) {
            for (int survived : List.of(0, 1, 2, 3, 5, moments)) {
                Post victim = victims.get(moment % 3);
                Tiers tiers = new Tiers().filled();
                AtomicInteger since = new AtomicInteger(-1);
                int deleteAt = moment;
                AtomicInteger passed = new AtomicInteger();
                ArchiveMover mover = tiers.mover((operation, isBefore) -> {
                    if (passed.incrementAndGet() == deleteAt) {
                        tiers.delete(victim);
                        since.set(0);
                    }
                    if (since.get() >= 0) {
                        tiers.assertGone(victim);
                        if (since.getAndIncrement() == survived) {
                            throw new Death();
                        }
                    }
                });
                passOrDie(tiers, mover);
                tiers.assertComplete();
                tiers.settle();
                tiers.assertComplete();
                tiers.pass(tiers.mover(Tiers.Hook.NONE));
                tiers.assertComplete();
                assertThat(tiers.archive.existing(List.of(victim.key())))
                        .as("deleted at %s, died %s later", moment, survived)
                        .isEmpty();
                assertThat(tiers.archive.size() + tiers.warmKeys().size()).isEqualTo(DUE + RECENT - 1);
            }
        }
    }

    @Test
    @DisplayName("knows a post that is published again as the same, and one at another time as new, at any moment")
    void publishesAgain() {
        int moments = moments();
        for (int moment = 1; moment <= moments; moment++) {
            for (boolean sameTime : List.of(true, false)) {
                Tiers tiers = new Tiers().filled();
                Post known = Tiers.post("bob", 9);
                ArchiveMover mover = tiers.mover(new Moment(moment, () -> {
                    Post again = sameTime ? known : Post.of("bob", "p9", tiers.clock.millis());
                    Appended answer = tiers.outbox
                            .append(List.of(new Publication(again, FanoutMode.PUSH)))
                            .get(0);
                    if (sameTime) {
                        assertThat(answer).isEqualTo(new Appended(Status.SAME, known));
                    } else if (answer.status() == Status.NEW) {
                        tiers.expected.remove(known);
                        tiers.expected.add(again);
                    }
                }));
                tiers.pass(mover);
                List<Post> all = new ArrayList<>(tiers.expected);
                assertThat(Tiers.walk(tiers.outbox, Order.NEWEST_FIRST, 4)).isEqualTo(all);
                if (sameTime) {
                    tiers.assertComplete();
                }
            }
        }
    }

    @Test
    @DisplayName("finds every answer complete between any two calls of the mover")
    void reads() {
        Tiers tiers = new Tiers().filled();
        AtomicInteger looked = new AtomicInteger();
        tiers.pass(tiers.mover((operation, isBefore) -> {
            tiers.assertComplete();
            looked.incrementAndGet();
        }));
        assertThat(looked).hasValue(moments());
    }

    @Test
    @DisplayName("shares the work with a second mover that makes a whole pass at any moment")
    void twoMovers() {
        int moments = moments();
        for (int moment = 1; moment <= moments; moment++) {
            Tiers tiers = new Tiers().filled();
            AtomicInteger second = new AtomicInteger();
            int first = tiers.pass(tiers.mover(
                    new Moment(moment, () -> second.addAndGet(tiers.pass(tiers.mover(Tiers.Hook.NONE))))));
            assertThat(first + second.get()).as("moment %s", moment).isEqualTo(DUE);
            tiers.assertComplete();
            assertThat(tiers.archive.size()).isEqualTo(DUE);
        }
    }

    @Test
    @DisplayName("does not bring back a post that was moved by another mover and deleted meanwhile")
    void movedAndDeleted() {
        int moments = moments();
        for (int moment = 1; moment <= moments; moment++) {
            Tiers tiers = new Tiers().filled();
            Post victim = Tiers.post("bob", 9);
            ArchiveMover mover = tiers.mover(new Moment(moment, () -> {
                tiers.pass(tiers.mover(Tiers.Hook.NONE));
                tiers.delete(victim);
                tiers.settle();
            }));
            try {
                tiers.pass(mover);
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("has not stored 1 of 7 posts");
                tiers.pass(mover);
            }
            tiers.assertComplete();
            tiers.assertGone(victim);
            assertThat(tiers.archive.existing(List.of(victim.key())))
                    .as("moment %s", moment)
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("removes nothing that the archive does not return after storing it")
    void unconfirmed() {
        Tiers tiers = new Tiers().filled();
        ArchiveMover mover = tiers.mover((operation, isBefore) -> {
            if (operation.equals("archive.existing") && isBefore) {
                tiers.archive.delete(List.of(Tiers.post("amy", 0).key()));
            }
        });
        assertThatThrownBy(() -> tiers.pass(mover))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("1 of 7", "amy", "they stay in the outbox");
        tiers.assertComplete();
        assertThat(tiers.warmKeys()).hasSize(DUE + RECENT);
    }

    @Test
    @DisplayName("drops a batch whose list is older than a lease, and lists it again")
    void stalled() {
        Tiers tiers = new Tiers().filled();
        AtomicInteger stalls = new AtomicInteger(1);
        ArchiveMover mover = tiers.mover((operation, isBefore) -> {
            if (operation.equals("source.movable") && !isBefore && stalls.getAndDecrement() > 0) {
                tiers.nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            }
        });
        assertThatThrownBy(() -> tiers.pass(mover))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("PT1M", "listed again");
        assertThat(tiers.archive.size()).isZero();
        tiers.pass(mover);
        tiers.assertComplete();
        assertThat(tiers.archive.size()).isEqualTo(DUE);
    }
}
