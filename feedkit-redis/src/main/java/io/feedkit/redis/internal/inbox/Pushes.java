package io.feedkit.redis.internal.inbox;

import io.feedkit.redis.internal.layout.Arguments;
import io.feedkit.redis.internal.layout.Records;
import io.feedkit.redis.internal.layout.Timer;
import io.feedkit.redis.internal.link.Call;
import io.feedkit.redis.internal.link.Effect;
import io.feedkit.redis.internal.link.RedisLink;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.InboxLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** What is done to the inboxes of many readers for the sake of one post. */
final class Pushes {

    private final RedisLink link;
    private final InboxKeys keys;
    private final Timer timer;
    private final byte[] stored;
    private final byte[] cap;

    Pushes(RedisLink link, InboxKeys keys, Timer timer, InboxLimits limits) {
        this.link = link;
        this.keys = keys;
        this.timer = timer;
        stored = Arguments.number(limits.stored());
        cap = Arguments.number(limits.cap());
    }

    List<List<Outcome>> deliver(List<Delivery> deliveries) {
        List<List<Chunk>> chunks =
                deliveries.stream().map(delivery -> chunks(delivery.readers())).toList();
        List<Call<byte[]>> calls = new ArrayList<>();
        for (int i = 0; i < deliveries.size(); i++) {
            byte[] record = Records.of(deliveries.get(i).post());
            byte[] seenSince = Arguments.millis(deliveries.get(i).seenSince());
            for (Chunk chunk : chunks.get(i)) {
                calls.add(Scripts.DELIVER.on(
                        keys.inboxes(chunk.readers()), List.of(timer.now(), seenSince, stored, cap, record)));
            }
        }
        Iterator<byte[]> answers =
                link.runAll("inbox.deliver", Effect.WRITE, calls).iterator();
        List<List<Outcome>> outcomes = new ArrayList<>(deliveries.size());
        for (int i = 0; i < deliveries.size(); i++) {
            Outcome[] ofDelivery = new Outcome[deliveries.get(i).readers().size()];
            for (Chunk chunk : chunks.get(i)) {
                byte[] letters = answers.next();
                for (int k = 0; k < letters.length; k++) {
                    ofDelivery[chunk.places().get(k)] = outcome(letters[k]);
                }
            }
            outcomes.add(List.of(ofDelivery));
        }
        return Collections.unmodifiableList(outcomes);
    }

    void retract(List<Retraction> retractions) {
        List<Call<Long>> calls = new ArrayList<>();
        for (Retraction retraction : retractions) {
            byte[] record = Records.of(retraction.post());
            for (Chunk chunk : chunks(retraction.readers())) {
                calls.add(Scripts.RETRACT.on(keys.inboxes(chunk.readers()), List.of(timer.now(), record)));
            }
        }
        link.runAll("inbox.retract", Effect.WRITE, calls);
    }

    void drop(List<String> readers) {
        List<Call<Long>> calls = new ArrayList<>();
        for (Chunk chunk : chunks(readers)) {
            List<byte[]> all = new ArrayList<>(keys.inboxes(chunk.readers()));
            chunk.readers().forEach(reader -> all.add(keys.notes(reader)));
            calls.add(Scripts.DROP.on(all, List.of(timer.now())));
        }
        link.runAll("inbox.drop", Effect.WRITE, calls);
    }

    private List<Chunk> chunks(List<String> readers) {
        return Chunk.of(readers, link.isCluster());
    }

    private static Outcome outcome(byte letter) {
        return switch (letter) {
            case 'A' -> Outcome.ADDED;
            case 'P' -> Outcome.PRESENT;
            case 'F' -> Outcome.BELOW_FLOOR;
            case 'N' -> Outcome.NOT_LIVE;
            default -> throw new IllegalStateException("unknown outcome " + (char) letter);
        };
    }
}
