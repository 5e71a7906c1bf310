package io.feedkit.testkit.model;

import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.testkit.forwarding.ForwardingFanoutQueue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Does with messages what a broker may do, and more: it loses some that it has confirmed, stores some twice, refuses
 * some, does not know of some, and turns every batch around.
 */
final class CarelessQueue implements ForwardingFanoutQueue {

    private final FanoutQueue queue = InMemoryFanoutQueue.create();
    private final AtomicInteger messages = new AtomicInteger();

    @Override
    public FanoutQueue delegate() {
        return queue;
    }

    @Override
    public List<Sent> send(List<Message> batch) {
        List<Sent> answers = new ArrayList<>();
        List<Message> stored = new ArrayList<>();
        for (Message message : batch) {
            int number = messages.incrementAndGet();
            boolean refused = number % 13 == 0;
            if (!refused && number % 5 != 0) {
                stored.addAll(Collections.nCopies(number % 3 == 0 ? 2 : 1, message));
            }
            answers.add(refused ? Sent.REFUSED : number % 11 == 0 ? Sent.UNKNOWN : Sent.CONFIRMED);
        }
        Collections.reverse(stored);
        queue.send(stored);
        return answers;
    }
}
