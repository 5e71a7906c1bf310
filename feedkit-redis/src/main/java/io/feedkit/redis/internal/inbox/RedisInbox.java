package io.feedkit.redis.internal.inbox;

import io.feedkit.Post;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.call.Script;
import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.check.Identities;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.PositionCodec;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The inboxes in Redis. A reader with an inbox has a list, and a reader with pending follows has a hash. Each step is
 * one script, and so atomic.
 *
 * <p>The list begins with a header. The entries follow, from the oldest to the newest. A post that arrives in order is
 * appended, and a read takes the newest from the end. The last element of an inbox without entries is its header.
 * Encoded positions ({@link PositionCodec}) have the order of positions, so a late post finds its place without a scan.
 *
 * <p>The hash holds the pending follows and the epoch, and outlives the list. While there are pending follows, header
 * and hash both say so, and have the same epoch. So the loss of either makes the inbox absent. Without pending follows
 * only the header has the epoch. Steps that need no epoch (deliver, merge, retract) look only at the list. If the hash
 * was lost, the next read notices that, and treats the inbox as if the loss had just happened.
 *
 * <p>An inbox whose window has ended is absent. The next step that finds it removes it. The expiry of keys only frees
 * the memory of inboxes that no step uses.
 */
public final class RedisInbox implements Inbox {

    private static final byte[] LOWEST = PositionCodec.of(Position.LOWEST);
    private static final long BUSY = 1;
    private static final long ALREADY_LIVE = 2;

    private final Link link;
    private final InboxKeys keys;
    private final ScriptClock scriptClock;
    private final InboxLimits limits;
    private final BatchDelivery delivery;
    private final SliceReader sliceReader;
    private final InboxCounter counter;
    private final FailoverDetector failovers;
    private final Identities identities;
    private final Predicate<String> besideTruth;

    /**
     * The inboxes of a server, within some limits.
     *
     * @param prefix the prefix of all key names
     * @param clock replaces the server's clock in tests
     */
    public RedisInbox(Link link, String prefix, Optional<Clock> clock, InboxLimits limits) {
        this(link, prefix, clock, limits, identity -> false);
    }

    /**
     * The inboxes of a server, within some limits.
     *
     * @param prefix the prefix of all key names
     * @param clock replaces the server's clock in tests
     * @param besideTruth whether an identity is that of the source of truth under the same prefix
     */
    public RedisInbox(
            Link link, String prefix, Optional<Clock> clock, InboxLimits limits, Predicate<String> besideTruth) {
        this.link = link;
        this.keys = new InboxKeys(new Keys(prefix));
        this.identities = new Identities(link, new Keys(prefix));
        this.besideTruth = besideTruth;
        this.scriptClock = new ScriptClock(clock);
        this.limits = limits;
        delivery = new BatchDelivery(link, keys, scriptClock, limits);
        sliceReader = new SliceReader(link, keys, scriptClock, limits);
        counter = new InboxCounter(link, keys, scriptClock, limits);
        failovers = new FailoverDetector(link, keys, scriptClock);
    }

    /**
     * Claims the inboxes. A source of truth under the same prefix may have lost its identity together with the inboxes.
     * Then it gets the given identity again. If another process has created a new one meanwhile, the new one applies.
     */
    @Override
    public void claim(String identity) {
        String truth =
                besideTruth.test(identity) ? identities.claim(FormatComponent.SOURCE_OF_TRUTH, identity) : identity;
        identities.require(FormatComponent.INBOX, truth, "the inboxes", "RedisInboxes.Builder.adopt");
    }

    @Override
    public List<List<Outcome>> deliver(List<Delivery> deliveries) {
        List<List<Outcome>> outcomes = delivery.deliver(deliveries);
        failovers.delivered();
        return outcomes;
    }

    @Override
    public List<Slice> slice(List<SliceQuery> queries) {
        return sliceReader.slice(queries);
    }

    @Override
    public boolean sendsQuestions() {
        return true;
    }

    @Override
    public Supplier<List<Slice>> sendSlice(List<SliceQuery> queries) {
        return sliceReader.send(queries);
    }

    @Override
    public List<Count> count(List<CountQuery> queries) {
        return counter.count(queries);
    }

    @Override
    public Supplier<List<Count>> sendCount(List<CountQuery> queries) {
        return counter.send(queries);
    }

    /** Reads the headers without a script, because a script would remove an inbox that has expired. */
    @Override
    public List<Window> windows(List<String> readers) {
        List<Call<List<byte[]>>> headers = readers.stream()
                .map(reader -> Call.of(
                        CommandType.LRANGE,
                        ValueListOutput::new,
                        keys.inbox(reader),
                        Arguments.number(0),
                        Arguments.number(0)))
                .toList();
        return link.runAll("inbox.windows", Effect.READ, headers).stream()
                .map(first -> first.isEmpty() ? Window.UNKNOWN : InboxHeader.window(ByteBuffer.wrap(first.get(0))))
                .toList();
    }

    @Override
    public Opening open(String reader, long leaseMillis, boolean replace) {
        long generation = Arguments.newToken();
        List<byte[]> arguments = List.of(
                scriptClock.now(),
                Arguments.millis(leaseMillis),
                Arguments.millis(limits.liveWindowMillis()),
                Arguments.flag(replace),
                Arguments.token(generation),
                Arguments.token(Arguments.newToken()),
                LOWEST);
        long answer = run("inbox.open", InboxScripts.OPEN, keys.both(reader), arguments);
        if (answer == BUSY) {
            return new Opening(Opening.Status.BUSY, 0);
        }
        return answer == ALREADY_LIVE
                ? new Opening(Opening.Status.LIVE, 0)
                : new Opening(Opening.Status.OPENED, generation);
    }

    @Override
    public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
        return merge(List.of(new Merge(reader, generation, posts, floor))).get(0);
    }

    @Override
    public List<Boolean> merge(List<Merge> merges) {
        return runEach("inbox.merge", merges, this::mergeCall).stream()
                .map(answer -> answer == 1)
                .toList();
    }

    private Call<Long> mergeCall(Merge merge) {
        List<byte[]> arguments = new ArrayList<>(List.of(
                scriptClock.now(),
                Arguments.number(limits.stored()),
                Arguments.number(limits.cap()),
                Arguments.token(merge.generation()),
                PositionCodec.of(merge.floor())));
        merge.posts().stream()
                .sorted(Position::compare)
                .distinct()
                .map(PositionCodec::of)
                .forEach(arguments::add);
        return InboxScripts.MERGE.on(List.of(keys.inbox(merge.reader())), arguments);
    }

    @Override
    public boolean complete(String reader, long generation, long mark, long followees) {
        List<byte[]> arguments = List.of(
                scriptClock.now(),
                Arguments.millis(limits.liveWindowMillis()),
                Arguments.token(generation),
                Arguments.token(mark),
                Arguments.token(followees),
                Arguments.token(Arguments.newToken()));
        return run("inbox.complete", InboxScripts.COMPLETE, keys.both(reader), arguments) == 1;
    }

    @Override
    public void retract(List<Retraction> retractions) {
        delivery.retract(retractions);
        failovers.delivered();
    }

    @Override
    public void remove(List<Removal> removals) {
        delivery.remove(removals);
        failovers.delivered();
    }

    @Override
    public boolean purge(String reader, Collection<String> authors, long token) {
        return purge(List.of(new PendingChange(reader, List.copyOf(authors), token, 0)))
                .get(0);
    }

    @Override
    public List<Boolean> purge(List<PendingChange> changes) {
        return runEach("inbox.purge", changes, this::purgeCall).stream()
                .map(answer -> answer == 1)
                .toList();
    }

    private Call<Long> purgeCall(PendingChange change) {
        List<byte[]> arguments = new ArrayList<>(List.of(scriptClock.now(), Arguments.token(change.token())));
        for (String author : change.authors()) {
            arguments.add(Arguments.text(author));
            arguments.add(PositionCodec.author(author));
        }
        return InboxScripts.PURGE.on(keys.both(change.reader()), arguments);
    }

    @Override
    public long beginFollow(String reader, Collection<String> authors) {
        return beginFollow(List.of(reader), authors).get(0);
    }

    @Override
    public List<Long> beginFollow(List<String> readers, Collection<String> authors) {
        long token = Arguments.newToken();
        List<byte[]> arguments = new ArrayList<>(List.of(scriptClock.now(), Arguments.token(token)));
        authors.stream().map(Arguments::text).forEach(arguments::add);
        runEach("inbox.beginFollow", readers, reader -> InboxScripts.BEGIN_FOLLOW.on(keys.both(reader), arguments));
        return Collections.nCopies(readers.size(), token);
    }

    @Override
    public Set<String> endFollow(String reader, Collection<String> authors, long token, long toggled) {
        return endFollow(List.of(new PendingChange(reader, List.copyOf(authors), token, toggled)))
                .get(0);
    }

    @Override
    public List<Set<String>> endFollow(List<PendingChange> changes) {
        List<List<Object>> places = runEach("inbox.endFollow", changes, this::endCall);
        List<Set<String>> refused = new ArrayList<>(changes.size());
        for (int i = 0; i < changes.size(); i++) {
            List<String> authors = changes.get(i).authors();
            refused.add(places.get(i).stream()
                    .map(place -> authors.get(((Long) place).intValue()))
                    .collect(Collectors.toSet()));
        }
        return Collections.unmodifiableList(refused);
    }

    private Call<List<Object>> endCall(PendingChange change) {
        List<byte[]> arguments = new ArrayList<>(List.of(
                scriptClock.now(),
                Arguments.token(change.token()),
                Arguments.token(Arguments.newToken()),
                Arguments.token(change.toggled())));
        change.authors().stream().map(Arguments::text).forEach(arguments::add);
        return InboxScripts.END_FOLLOW.on(keys.both(change.reader()), arguments);
    }

    /** Sends a script for each reader, all at once. */
    private <I, T> List<T> runEach(String operation, List<I> items, Function<I, Call<T>> call) {
        return items.isEmpty()
                ? List.of()
                : link.runAll(operation, Effect.WRITE, items.stream().map(call).toList());
    }

    @Override
    public void drop(List<String> readers) {
        delivery.drop(readers);
    }

    @Override
    public long deliveriesSafeSince() {
        return failovers.latestLoss();
    }

    private long run(String operation, Script<Long> script, List<byte[]> of, List<byte[]> arguments) {
        return link.run(operation, Effect.WRITE, script.on(of, arguments));
    }

    @Override
    public void forEachReader(Predicate<List<String>> visitor) {
        keys.scan(link).each("inbox.forEachReader", InboxKeys.KINDS, visitor);
    }
}
