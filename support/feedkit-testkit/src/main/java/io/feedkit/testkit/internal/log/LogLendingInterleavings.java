package io.feedkit.testkit.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.testkit.Exhaustive;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A relay, two workers that get every message of it, a worker that claims, and time that passes, in any order. Each
 * answer must be that of a single task with one holder.
 */
public abstract class LogLendingInterleavings extends LogRules {

    /** A step and its actor. Each actor does its steps in this order. */
    private enum Move {
        LEND(Actor.RELAY),
        LEND_AGAIN(Actor.RELAY),
        TAKE(Actor.HASTY),
        FINISH(Actor.HASTY),
        TAKE_TOO(Actor.THOROUGH),
        CHECKPOINT_TOO(Actor.THOROUGH),
        FINISH_TOO(Actor.THOROUGH),
        CLAIM(Actor.CLAIMER),
        FINISH_CLAIMED(Actor.CLAIMER),
        LAPSE(Actor.TIME);

        private final Actor actor;

        Move(Actor actor) {
            this.actor = actor;
        }
    }

    private enum Actor {
        RELAY,
        HASTY,
        THOROUGH,
        CLAIMER,
        TIME
    }

    private static final List<Move> RELAY_AND_WORKERS = List.of(
            Move.LEND,
            Move.LEND_AGAIN,
            Move.TAKE,
            Move.FINISH,
            Move.TAKE_TOO,
            Move.CHECKPOINT_TOO,
            Move.FINISH_TOO,
            Move.LAPSE);

    private static final List<Move> ALSO_CLAIMS =
            List.of(Move.LEND, Move.LEND_AGAIN, Move.TAKE, Move.FINISH, Move.CLAIM, Move.FINISH_CLAIMED, Move.LAPSE);

    private int posts;

    protected LogLendingInterleavings(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("a relay, two workers and an expiry get right answers, in a sample of all orders")
    void someOrders() {
        run(kit.waits() ? 5 : 4 * kit.rounds());
    }

    @Exhaustive
    @Test
    @DisplayName("a relay, two workers and an expiry get right answers, in all orders")
    void allOrders() {
        run(kit.waits() ? 20 : Integer.MAX_VALUE);
    }

    private void run(int most) {
        List<List<Move>> orders = new ArrayList<>();
        addOrders(RELAY_AND_WORKERS, List.of(), orders);
        addOrders(ALSO_CLAIMS, List.of(), orders);
        assertThat(orders).hasSize(1680 + 630).doesNotHaveDuplicates();
        int runs = Math.min(most, orders.size());
        for (int i = 0; i < runs; i++) {
            new OneTask().run(orders.get((int) ((long) i * orders.size() / runs)));
        }
    }

    /** Adds all orders of the moves that keep each actor's own order. */
    private static void addOrders(List<Move> left, List<Move> before, List<List<Move>> orders) {
        if (left.isEmpty()) {
            orders.add(before);
        }
        Map<Actor, Move> next = new EnumMap<>(Actor.class);
        left.forEach(move -> next.putIfAbsent(move.actor, move));
        for (Move move : next.values()) {
            List<Move> others = new ArrayList<>(left);
            others.remove(move);
            List<Move> order = new ArrayList<>(before);
            order.add(move);
            addOrders(others, order, orders);
        }
    }

    /** A task with its state, and the loans and leases of each actor. */
    private final class OneTask {

        /** The loan or lease that holds the task, if it is not due. */
        private @Nullable Object holder;

        private boolean endsWithLapse;

        /** The latest loan or lease that expired. */
        private @Nullable Object lapsed;

        private boolean done;
        private @Nullable Loan message;
        private final Map<Actor, Claim> claims = new EnumMap<>(Actor.class);

        void run(List<Move> order) {
            publish(posts++);
            for (int i = 0; i < order.size(); i++) {
                Move move = order.get(i);
                assertThat(step(move))
                        .as("%s, after %s", move, order.subList(0, i))
                        .isTrue();
            }
            end();
        }

        private boolean isDue() {
            return holder == null && !done;
        }

        /** Does the step, and returns whether the answer was right. */
        private boolean step(Move move) {
            return switch (move) {
                case LEND, LEND_AGAIN -> lend();
                case TAKE -> take(move.actor, shortLease());
                case TAKE_TOO -> take(move.actor, LEASE);
                case CLAIM -> claim();
                case CHECKPOINT_TOO -> change(move.actor, false);
                case FINISH, FINISH_TOO, FINISH_CLAIMED -> change(move.actor, true);
                case LAPSE -> lapse();
            };
        }

        private boolean lend() {
            List<LentTask> lent = log.lend(1, shortLease(), 1);
            if (!isDue()) {
                return lent.isEmpty();
            }
            if (lent.size() != 1) {
                return false;
            }
            message = lent.get(0).loan();
            hold(lent.get(0).loan(), true);
            return true;
        }

        private void hold(@Nullable Object holder, boolean endsWithLapse) {
            this.holder = holder;
            this.endsWithLapse = endsWithLapse;
        }

        /** Both workers get the relay's latest message. */
        private boolean take(Actor actor, long leaseMillis) {
            if (message == null) {
                return true;
            }
            Optional<Claim> taken = log.take(List.of(message), leaseMillis).get(0);
            if (!message.equals(holder)) {
                return taken.isEmpty();
            }
            taken.ifPresent(claim -> hold(actor, claim, leaseMillis < LEASE));
            return taken.isPresent();
        }

        private void hold(Actor actor, Claim claim, boolean endsWithLapse) {
            claims.put(actor, claim);
            hold(claim, endsWithLapse);
        }

        private boolean claim() {
            List<Claim> claimed = log.claim(1, LEASE);
            if (!isDue()) {
                return claimed.isEmpty();
            }
            claimed.forEach(claim -> hold(Actor.CLAIMER, claim, false));
            return claimed.size() == 1;
        }

        /**
         * A worker that was overtaken is refused. A worker whose lease has expired, and whose task no other worker
         * holds yet, may be refused or not.
         */
        private boolean change(Actor actor, boolean finish) {
            Claim claim = claims.get(actor);
            if (claim == null) {
                return true;
            }
            boolean accepted = finish
                    ? log.finish(List.of(claim), RETAIN).get(0)
                    : log.checkpoint(List.of(new Progress(claim, "m")), LEASE).get(0);
            boolean holds = claim.equals(holder);
            boolean mayHold = isDue() && claim.equals(lapsed);
            if (accepted && (holds || mayHold)) {
                done = finish;
                hold(finish ? null : claim, false);
            }
            if (finish) {
                claims.remove(actor);
            }
            return holds ? accepted : !accepted || mayHold;
        }

        private boolean lapse() {
            kit.outlast();
            if (holder != null && endsWithLapse) {
                lapsed = holder;
                holder = null;
            }
            return true;
        }

        /** Finishes the task, whichever actor holds it. */
        private void end() {
            if (holder instanceof Loan loan) {
                outbox.finish(log.take(List.of(loan), LEASE).get(0).orElseThrow());
            } else if (holder instanceof Claim claim) {
                outbox.finish(claim);
            } else if (!done) {
                outbox.finish(outbox.claim());
            }
            assertThat(log.queueStatus()).isEqualTo(new FanoutLog.QueueStatus(0, 0, 0, 0));
        }
    }
}
