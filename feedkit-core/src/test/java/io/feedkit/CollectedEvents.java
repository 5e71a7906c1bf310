package io.feedkit;

import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.PostEvent;
import io.feedkit.queue.PostEventSink;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A sink that collects the events it confirms, in the order of their arrival; a test may make it answer otherwise. */
final class CollectedEvents implements PostEventSink {

    static final Function<List<PostEvent>, List<Sent>> CONFIRM =
            events -> Collections.nCopies(events.size(), Sent.CONFIRMED);

    static final Function<List<PostEvent>, List<Sent>> REFUSE =
            events -> Collections.nCopies(events.size(), Sent.REFUSED);

    final List<PostEvent> confirmed = new CopyOnWriteArrayList<>();
    final List<PostEvent> seen = new CopyOnWriteArrayList<>();
    final AtomicInteger sends = new AtomicInteger();
    volatile Function<List<PostEvent>, List<Sent>> answers = CONFIRM;
    volatile boolean closed;

    @Override
    public List<Sent> send(List<PostEvent> events) {
        seen.addAll(events);
        try {
            List<Sent> answer = answers.apply(events);
            for (int i = 0; i < answer.size(); i++) {
                if (answer.get(i) == Sent.CONFIRMED) {
                    confirmed.add(events.get(i));
                }
            }
            return answer;
        } finally {
            sends.incrementAndGet();
        }
    }

    /** The confirmed events as {@code CREATED bob/p1}. */
    List<String> told() {
        return confirmed.stream()
                .map(event -> event.type() + " " + event.post().author() + "/"
                        + event.post().id())
                .toList();
    }

    @Override
    public void close() {
        closed = true;
    }
}
