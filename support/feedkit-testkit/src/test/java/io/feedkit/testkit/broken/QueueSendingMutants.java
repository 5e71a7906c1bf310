package io.feedkit.testkit.broken;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.testkit.broken.QueueMutant.AQueue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Queues that store or confirm something else than they should. */
final class QueueSendingMutants {

    static final List<QueueMutant> ALL = List.of(
            new QueueMutant("loses every twentieth message", "Sending.everythingArrives", sound -> new AQueue(sound) {
                private final AtomicInteger count = new AtomicInteger();

                @Override
                public List<Sent> send(List<Message> messages) {
                    sound.send(messages.stream()
                            .filter(message -> count.incrementAndGet() % 20 != 0)
                            .toList());
                    return Collections.nCopies(messages.size(), Sent.CONFIRMED);
                }
            }),
            new QueueMutant("loses the end of large batches", "Sending.everythingArrives", sound -> new AQueue(sound) {
                @Override
                public List<Sent> send(List<Message> messages) {
                    sound.send(messages.subList(0, Math.min(100, messages.size())));
                    return Collections.nCopies(messages.size(), Sent.CONFIRMED);
                }
            }),
            new QueueMutant("drops messages when it is full", "Sending.full", sound -> new AQueue(sound) {
                @Override
                public List<Sent> send(List<Message> messages) {
                    sound.send(messages);
                    return Collections.nCopies(messages.size(), Sent.CONFIRMED);
                }
            }),
            new QueueMutant(
                    "refuses half of what it has stored when it is full", "Sending.full", sound -> new AQueue(sound) {
                        @Override
                        public List<Sent> send(List<Message> messages) {
                            List<Sent> answers = new ArrayList<>(sound.send(messages));
                            if (answers.size() == 500) {
                                answers.subList(250, 500).replaceAll(answer -> Sent.REFUSED);
                            }
                            return answers;
                        }
                    }),
            new QueueMutant("confirms before it stores", "Sending.senderCloses", Late::new),
            new QueueMutant("loses in an outage what it has confirmed", "Outages.confirmedBefore", Late::new),
            new QueueMutant("never confirms", "Sending.answers", sound -> new AQueue(sound) {
                @Override
                public List<Sent> send(List<Message> messages) {
                    sound.send(messages);
                    return Collections.nCopies(messages.size(), Sent.UNKNOWN);
                }
            }),
            new QueueMutant("answers once for a batch", "Sending.answers", sound -> new AQueue(sound) {
                @Override
                public List<Sent> send(List<Message> messages) {
                    return sound.send(messages).stream().distinct().toList();
                }
            }),
            changing("truncates the longest texts", "Sending.texts", message -> {
                int length = Math.min(message.text().length(), FanoutQueue.LONGEST_TEXT - 1);
                return new Message(message.lane(), message.text().substring(0, length));
            }),
            changing(
                    "escapes quotes",
                    "Sending.texts",
                    message -> new Message(message.lane(), message.text().replace("\"", "'"))),
            changing("mixes lanes", "Sending.lanesApart", message -> new Message(Lane.SMALL, message.text())),
            new QueueMutant(
                    "loses what one sends while another does", "Concurrency.nothingLost", sound -> new AQueue(sound) {
                        private final AtomicInteger senders = new AtomicInteger();
                        private final AtomicInteger overlaps = new AtomicInteger();
                        private final Gap gap = new Gap();

                        @Override
                        public List<Sent> send(List<Message> messages) {
                            boolean alone = senders.incrementAndGet() == 1;
                            if (!alone) {
                                overlaps.incrementAndGet();
                            }
                            gap.awaitRival(() -> overlaps.get() > 0);
                            List<Sent> answers =
                                    alone ? sound.send(messages) : Collections.nCopies(messages.size(), Sent.CONFIRMED);
                            senders.decrementAndGet();
                            return answers;
                        }
                    }),
            new QueueMutant("doubles messages", "", sound -> new AQueue(sound) {
                @Override
                public List<Sent> send(List<Message> messages) {
                    List<Sent> answers = new ArrayList<>();
                    for (Message message : messages) {
                        answers.add(sound.send(List.of(message)).get(0));
                        sound.send(message.text().hashCode() % 3 == 0 ? List.of(message) : List.of());
                    }
                    return answers;
                }
            }),
            new QueueMutant("reorders messages", "", sound -> new AQueue(sound) {
                @Override
                public List<Sent> send(List<Message> messages) {
                    List<Message> backwards = new ArrayList<>(messages);
                    Collections.reverse(backwards);
                    List<Sent> answers = new ArrayList<>(sound.send(backwards));
                    Collections.reverse(answers);
                    return answers;
                }
            }));

    private QueueSendingMutants() {}

    private static QueueMutant changing(String name, String caughtBy, UnaryOperator<Message> change) {
        return new QueueMutant(name, caughtBy, sound -> new AQueue(sound) {
            @Override
            public List<Sent> send(List<Message> messages) {
                return sound.send(messages.stream().map(change).toList());
            }
        });
    }

    /** Stores a batch when the next one comes. */
    private static final class Late extends AQueue {
        private List<Message> last = List.of();

        Late(FanoutQueue sound) {
            super(sound);
        }

        @Override
        public synchronized List<Sent> send(List<Message> messages) {
            sound.send(last);
            last = List.copyOf(messages);
            return Collections.nCopies(messages.size(), Sent.CONFIRMED);
        }
    }
}
