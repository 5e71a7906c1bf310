package io.feedkit.testkit.broken;

import java.util.List;
import java.util.stream.Stream;

/** All queues that are not as the sound one. */
final class QueueMutants {

    static final List<QueueMutant> ALL = Stream.of(
                    QueueSendingMutants.ALL, QueueReceivingMutants.ALL, QueueOutageMutants.ALL)
            .flatMap(List::stream)
            .toList();

    private QueueMutants() {}

    static QueueMutant named(String name) {
        return ALL.stream()
                .filter(mutant -> mutant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no queue that " + name));
    }
}
