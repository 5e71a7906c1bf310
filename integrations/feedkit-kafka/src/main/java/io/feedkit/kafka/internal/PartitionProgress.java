package io.feedkit.kafka.internal;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Which messages of a partition are settled. Not thread-safe. */
final class PartitionProgress {

    /** Whether each message is settled, from the oldest unsettled one on. */
    private final Map<KafkaMessage, Boolean> settled = new LinkedHashMap<>();

    void add(KafkaMessage message) {
        settled.put(message, false);
    }

    /**
     * Settles a message. Returns the offset below which all messages are settled, if it rises. Ignores an unknown
     * message.
     */
    OptionalLong settle(KafkaMessage message) {
        settled.replace(message, true);
        OptionalLong risen = OptionalLong.empty();
        Iterator<Map.Entry<KafkaMessage, Boolean>> oldest = settled.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<KafkaMessage, Boolean> entry = oldest.next();
            if (!entry.getValue()) {
                break;
            }
            risen = OptionalLong.of(entry.getKey().record().offset() + 1);
            oldest.remove();
        }
        return risen;
    }

    /** The number of messages that it keeps: those from the oldest unsettled one on. */
    int size() {
        return settled.size();
    }

    OptionalLong oldestUnsettled() {
        return settled.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(settled.keySet().iterator().next().record().offset());
    }

    List<KafkaMessage> unsettled() {
        return settled.entrySet().stream()
                .filter(entry -> !entry.getValue())
                .map(Map.Entry::getKey)
                .toList();
    }
}
