package io.feedkit.rabbitmq.internal.send;

import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Sent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The messages of one call, and their outcomes. Thread-safe. */
final class Batch {

    private enum State {
        WAITING,
        PUBLISHED,
        RETURNED,
        CONFIRMED,
        REFUSED,
        UNKNOWN;

        boolean isFinal() {
            return this == CONFIRMED || this == REFUSED || this == UNKNOWN;
        }
    }

    private final List<Message> messages;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition complete = lock.newCondition();
    private final State[] states;
    private int open;

    Batch(List<Message> messages) {
        this.messages = List.copyOf(messages);
        open = this.messages.size();
        states = new State[open];
        Arrays.fill(states, State.WAITING);
    }

    List<Message> messages() {
        return messages;
    }

    /** Marks a message as published. Returns false if its outcome is already decided. */
    boolean publish(int index) {
        return move(index, State.WAITING, State.PUBLISHED);
    }

    /** Records that the broker has no queue for the message. A confirm still follows. */
    void returned(int index) {
        move(index, State.PUBLISHED, State.RETURNED);
    }

    void confirmed(int index) {
        if (!move(index, State.PUBLISHED, State.CONFIRMED)) {
            move(index, State.RETURNED, State.REFUSED);
        }
    }

    void refused(int index) {
        if (!move(index, State.PUBLISHED, State.REFUSED)) {
            move(index, State.RETURNED, State.REFUSED);
        }
    }

    /** Records that no answer will come, because the connection has ended. */
    void lost(int index) {
        if (!move(index, State.PUBLISHED, State.UNKNOWN)) {
            move(index, State.RETURNED, State.REFUSED);
        }
    }

    /** Refuses the messages that were not published yet. */
    void drop() {
        for (int index = 0; index < states.length; index++) {
            move(index, State.WAITING, State.REFUSED);
        }
    }

    /** Ends the wait. Answers that come later are ignored. */
    void giveUp() {
        drop();
        for (int index = 0; index < states.length; index++) {
            lost(index);
        }
    }

    private boolean move(int index, State from, State to) {
        lock.lock();
        try {
            if (states[index] != from) {
                return false;
            }
            states[index] = to;
            if (to.isFinal() && --open == 0) {
                complete.signalAll();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the answers, and returns whether all came in time. */
    boolean await(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (open > 0 && left > 0) {
                left = complete.awaitNanos(left);
            }
            return open == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Gives up the open messages, and returns the outcome of each message. */
    List<Sent> answers() {
        giveUp();
        List<Sent> answers = new ArrayList<>(states.length);
        lock.lock();
        try {
            for (State state : states) {
                answers.add(
                        switch (state) {
                            case CONFIRMED -> Sent.CONFIRMED;
                            case REFUSED -> Sent.REFUSED;
                            case WAITING, PUBLISHED, RETURNED, UNKNOWN -> Sent.UNKNOWN;
                        });
            }
        } finally {
            lock.unlock();
        }
        return answers;
    }
}
