package io.feedkit.redis.internal.inbox;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.redis.internal.format.PositionCodec;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.InboxLimits;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** What is done to the inboxes of many readers for the sake of one post, or of a few. */
final class BatchDelivery {

    /**
     * Inboxes that one call is about at most. A server does nothing else during a script, and a hundred entries in order take it a quarter of a millisecond, late ones some; the price
     * of a call is a hundredth by then, so larger ones would gain nothing.
     */
    static final int READERS = 100;

    /** Entries that the inboxes of one call may hold: what comes late by more than a few, or is taken out, is looked for among them, at 30 to 120 nanoseconds each. */
    private static final int ENTRIES = 250_000;

    /** Readers whose inboxes are counted together, and the share of readers with one, one in so many, below which that pays. */
    private static final int COUNTED = 25;

    private static final int FEW = 30;

    private static final String DELIVER = "inbox.deliver";

    private final Link link;
    private final InboxKeys keys;
    private final ScriptClock timer;
    private final byte[] stored;
    private final byte[] cap;
    private final int inboxesAtOnce;

    /**
     * Whether few of the last hundreds of readers had an inbox, and counting them spared at least half of the deliveries since: then the inboxes of the next are counted first, some at a time, which takes a
     * fraction of the time of a script. Of a delivery to active readers alone it cannot be told, since those who were not seen lately look the same.
     */
    private volatile boolean fewLately;

    BatchDelivery(Link link, InboxKeys keys, ScriptClock timer, InboxLimits limits) {
        this.link = link;
        this.keys = keys;
        this.timer = timer;
        stored = Arguments.number(limits.stored());
        cap = Arguments.number(limits.cap());
        inboxesAtOnce = Math.max(1, Math.min(READERS, ENTRIES / limits.stored()));
    }

    List<List<Outcome>> deliver(List<Delivery> deliveries) {
        List<Recipient> recipients = new ArrayList<>();
        for (int i = 0; i < deliveries.size(); i++) {
            for (String reader : deliveries.get(i).readers()) {
                recipients.add(new Recipient(i, reader));
            }
        }
        List<Outcome> outcomes = Collections.unmodifiableList(deliver(recipients, deliveries));
        List<List<Outcome>> byDelivery = new ArrayList<>(deliveries.size());
        int from = 0;
        for (Delivery delivery : deliveries) {
            int below = from + delivery.readers().size();
            byDelivery.add(outcomes.subList(from, below));
            from = below;
        }
        return Collections.unmodifiableList(byDelivery);
    }

    private List<Outcome> deliver(List<Recipient> recipients, List<Delivery> deliveries) {
        boolean many = recipients.size() >= READERS;
        boolean counted = many && fewLately;
        List<Long> near = counted ? near(recipients) : Collections.nCopies(recipients.size(), 1L);
        List<Recipient> likely = new ArrayList<>(recipients.size());
        for (int i = 0; i < recipients.size(); i++) {
            if (near.get(i) > 0) {
                likely.add(recipients.get(i));
            }
        }
        PartitionBatcher<Recipient> split = splitRecipients(likely, inboxesAtOnce);
        List<byte[]> answers = link.runAll(DELIVER, Effect.WRITE, split.each(batch -> call(batch.items(), deliveries)));
        Iterator<Outcome> found = split.inPlace(
                        answers.stream().map(BatchDelivery::outcomes).toList())
                .iterator();
        List<Outcome> outcomes = new ArrayList<>(recipients.size());
        int live = 0;
        for (long inboxes : near) {
            Outcome outcome = inboxes > 0 ? found.next() : Outcome.NOT_LIVE;
            outcomes.add(outcome);
            live += outcome == Outcome.NOT_LIVE ? 0 : 1;
        }
        if (counted) {
            fewLately = likely.size() < recipients.size() / 2;
        } else if (many && deliveries.stream().allMatch(delivery -> delivery.seenSince() == 0)) {
            fewLately = live < recipients.size() / FEW;
        }
        return outcomes;
    }

    /** For each target, how many inboxes there are of it and of some others beside it. */
    private List<Long> near(List<Recipient> recipients) {
        PartitionBatcher<Recipient> split = splitRecipients(recipients, COUNTED);
        List<Long> counts = link.runAll(
                DELIVER,
                Effect.READ,
                split.each(batch -> Call.ofKeys(
                        CommandType.EXISTS,
                        () -> new IntegerOutput<>(ByteArrayCodec.INSTANCE),
                        inboxes(batch.items()))));
        return split.inPlace(counts.stream()
                .map(count -> Collections.nCopies(COUNTED, count))
                .toList());
    }

    private PartitionBatcher<Recipient> splitRecipients(List<Recipient> recipients, int most) {
        return PartitionBatcher.of(recipients, link.apart(recipient -> Keys.bucket(recipient.reader())), most);
    }

    private List<byte[]> inboxes(List<Recipient> recipients) {
        List<byte[]> inboxes = new ArrayList<>(recipients.size());
        recipients.forEach(recipient -> inboxes.add(keys.inbox(recipient.reader())));
        return inboxes;
    }

    /** Those of one delivery are side by side. */
    private Call<byte[]> call(List<Recipient> recipients, List<Delivery> deliveries) {
        List<byte[]> arguments = new ArrayList<>(List.of(timer.now(), stored, cap));
        int from = 0;
        while (from < recipients.size()) {
            int delivery = recipients.get(from).delivery();
            int below = from;
            while (below < recipients.size() && recipients.get(below).delivery() == delivery) {
                below++;
            }
            arguments.add(PositionCodec.of(deliveries.get(delivery).post()));
            arguments.add(Arguments.millis(deliveries.get(delivery).seenSince()));
            arguments.add(Arguments.number(below - from));
            from = below;
        }
        return InboxScripts.DELIVER.on(inboxes(recipients), arguments);
    }

    void retract(List<Retraction> retractions) {
        List<Call<Long>> calls = new ArrayList<>();
        for (Retraction retraction : retractions) {
            List<byte[]> arguments = List.of(timer.now(), PositionCodec.of(retraction.post()));
            calls.addAll(split(retraction.readers(), inboxesAtOnce)
                    .each(batch -> InboxScripts.RETRACT.on(keys.inboxes(batch.items()), arguments)));
        }
        link.runAll("inbox.retract", Effect.WRITE, calls);
    }

    void drop(List<String> readers) {
        List<Call<Long>> calls = split(readers, READERS).each(batch -> {
            List<byte[]> all = new ArrayList<>(keys.inboxes(batch.items()));
            batch.items().forEach(reader -> all.add(keys.notes(reader)));
            return InboxScripts.DROP.on(all, List.of(timer.now()));
        });
        link.runAll("inbox.drop", Effect.WRITE, calls);
    }

    private PartitionBatcher<String> split(List<String> readers, int most) {
        return PartitionBatcher.of(readers, link.apart(Keys::bucket), most);
    }

    private static List<Outcome> outcomes(byte[] letters) {
        List<Outcome> outcomes = new ArrayList<>(letters.length);
        for (byte letter : letters) {
            outcomes.add(outcome(letter));
        }
        return outcomes;
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

    /** A delivery to one of its readers. */
    private record Recipient(int delivery, String reader) {}
}
