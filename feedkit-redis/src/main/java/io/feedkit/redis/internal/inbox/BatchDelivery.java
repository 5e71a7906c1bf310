package io.feedkit.redis.internal.inbox;

import io.feedkit.PostKey;
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
import io.feedkit.spi.Inbox.Removal;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.InboxLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Delivers posts to the inboxes of many readers, and removes them from there. */
final class BatchDelivery {

    /**
     * The most inboxes of one call. A server executes nothing else during a script. A script for a hundred inboxes
     * takes a quarter of a millisecond if the posts arrive in order, and some milliseconds if they are late. A call's
     * own cost is a hundredth of that, so larger calls would gain nothing.
     */
    static final int READERS = 100;

    /**
     * The most entries in the inboxes of one call. A script searches the entries for a post that it removes, or that is
     * late by more than a few entries, at 30 to 120 nanoseconds an entry.
     */
    private static final int ENTRIES = 250_000;

    private static final List<Outcome> UNREACHED = Collections.nCopies(READERS, Outcome.UNREACHABLE);

    private final Link link;
    private final InboxKeys keys;
    private final ScriptClock clock;
    private final byte[] stored;
    private final byte[] cap;
    private final int inboxesAtOnce;

    private final AbsentInboxFilter absent;

    BatchDelivery(Link link, InboxKeys keys, ScriptClock clock, InboxLimits limits) {
        this.link = link;
        this.keys = keys;
        this.clock = clock;
        stored = Arguments.number(limits.stored());
        cap = Arguments.number(limits.cap());
        absent = new AbsentInboxFilter(link, keys);
        inboxesAtOnce = Math.max(1, Math.min(READERS, ENTRIES / limits.stored()));
    }

    List<List<Outcome>> deliver(List<Delivery> deliveries) {
        List<Recipient> recipients = new ArrayList<>();
        for (int i = 0; i < deliveries.size(); i++) {
            for (String reader : deliveries.get(i).readers()) {
                recipients.add(new Recipient(i, reader));
            }
        }
        List<Outcome> outcomes = deliver(recipients, deliveries);
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
        boolean counted = absent.paysFor(recipients.size());
        List<Boolean> mayHaveInbox = counted
                ? absent.mayHaveInbox(recipients.stream().map(Recipient::reader).toList())
                : Collections.nCopies(recipients.size(), true);
        Iterator<Boolean> each = mayHaveInbox.iterator();
        List<Recipient> likely =
                recipients.stream().filter(recipient -> each.next()).toList();
        PartitionBatcher<Recipient> split =
                PartitionBatcher.of(likely, link.apart(recipient -> Keys.bucket(recipient.reader())), inboxesAtOnce);
        List<Optional<byte[]>> answers =
                link.runReachable("inbox.deliver", Effect.WRITE, split.each(batch -> call(batch.items(), deliveries)));
        Iterator<Outcome> delivered = split.inPlace(answers.stream()
                        .map(answer -> answer.map(BatchDelivery::outcomes).orElse(UNREACHED))
                        .toList())
                .iterator();
        List<Outcome> outcomes = mayHaveInbox.stream()
                .map(may -> may ? delivered.next() : Outcome.NOT_LIVE)
                .toList();
        if (!counted && deliveries.stream().allMatch(delivery -> delivery.seenSince() == 0)) {
            absent.learn(outcomes);
        }
        return outcomes;
    }

    /** Recipients of one delivery must be adjacent. */
    private Call<byte[]> call(List<Recipient> recipients, List<Delivery> deliveries) {
        List<byte[]> arguments = new ArrayList<>(List.of(clock.now(), stored, cap));
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
        return InboxScripts.DELIVER.on(
                keys.inboxes(recipients.stream().map(Recipient::reader).toList()), arguments);
    }

    void retract(List<Retraction> retractions) {
        List<Call<Long>> calls = new ArrayList<>();
        for (Retraction retraction : retractions) {
            List<byte[]> arguments = List.of(clock.now(), PositionCodec.of(retraction.post()));
            calls.addAll(split(retraction.readers(), inboxesAtOnce)
                    .each(batch -> InboxScripts.RETRACT.on(keys.inboxes(batch.items()), arguments)));
        }
        link.runAll("inbox.retract", Effect.WRITE, calls);
    }

    void remove(List<Removal> removals) {
        List<Call<Long>> calls = new ArrayList<>();
        for (Removal removal : removals) {
            PostKey key = removal.key();
            List<byte[]> arguments = List.of(clock.now(), PositionCodec.withoutTime(key.author(), key.id()));
            calls.addAll(split(removal.readers(), inboxesAtOnce)
                    .each(batch -> InboxScripts.REMOVE.on(keys.inboxes(batch.items()), arguments)));
        }
        link.runAll("inbox.remove", Effect.WRITE, calls);
    }

    void drop(List<String> readers) {
        List<Call<Long>> calls = split(readers, READERS).each(batch -> {
            List<byte[]> all = new ArrayList<>(keys.inboxes(batch.items()));
            batch.items().forEach(reader -> all.add(keys.pendingFollows(reader)));
            return InboxScripts.DROP.on(all, List.of(clock.now()));
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

    /** One reader of a delivery. */
    private record Recipient(int delivery, String reader) {}
}
