package io.feedkit.kafka.internal;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Which messages of a partition are settled. Not thread-safe. */
final class PartitionProgress {

    /** From the oldest that is not settled on: whether each message is. */
    private final Map<KafkaMessage, Boolean> settled = new LinkedHashMap<>();

    void add(KafkaMessage message) {
        settled.put(message, false);
    }

    /** Returns the offset below which everything is settled, if that rises. Ignores a message that it does not know. */
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

    /** How many messages it keeps: those from the oldest that is not settled on. */
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
