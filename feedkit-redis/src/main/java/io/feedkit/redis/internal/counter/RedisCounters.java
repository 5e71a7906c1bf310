package io.feedkit.redis.internal.counter;

import io.feedkit.counter.Reactions.Repair;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.call.Script;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.spi.counter.TicketNumbers;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * Counters in Redis. Each owner has a hash of cells, a hash of members, and a sorted set of operations that must not be
 * repeated, all in one slot.
 *
 * <p>A script executes up to a hundred steps, in their order. On one server their owners may be in any buckets, in a
 * cluster all must be in one bucket.
 */
public final class RedisCounters implements CounterStore {

    /** The most steps of one script, which take half a millisecond or so. */
    private static final int AT_ONCE = 100;

    /**
     * Tickets have only 56 bits, because members keep them, which costs memory. A ticket must differ only from tickets
     * of the same post that are open, or were open lately. The script that opens it checks the open ones.
     */
    private static final TicketNumbers TICKETS = new TicketNumbers(15);

    private final RedisLink link;
    private final OwnerKeys keys;
    private final ScriptClock clock;
    private final Duration idleKept;
    private final List<byte[]> limits;
    private final CounterReader reader;

    /**
     * The counters of an application on a server.
     *
     * @param operationsKept how long operations and open tickets are remembered
     * @param idleKept how long the data of idle users are kept
     */
    public RedisCounters(RedisLink link, Keys keys, ScriptClock clock, Duration operationsKept, Duration idleKept) {
        this.link = link;
        this.keys = new OwnerKeys(keys);
        this.clock = clock;
        this.idleKept = idleKept;
        this.limits = List.of(Arguments.millis(operationsKept.toMillis()), Arguments.millis(idleKept.toMillis()));
        this.reader = new CounterReader(link, this.keys, clock);
    }

    private <I> List<byte[]> write(
            String operation, Script<List<Object>> script, Collection<I> items, Function<I, StepArguments> step) {
        if (items.isEmpty()) {
            return List.of();
        }
        List<byte[]> same = List.of(clock.now(), limits.get(0), limits.get(1));
        PartitionBatcher<StepArguments> split =
                PartitionBatcher.of(items.stream().map(step).toList(), link.apart(StepArguments::bucket), AT_ONCE);
        List<Call<List<Object>>> calls = split.each(batch -> script.on(
                batch.items().stream().flatMap(each -> each.keys().stream()).toList(),
                batch.values(same, StepArguments::values)));
        return split.inPlace(link.runAll("counterStore." + operation, Effect.WRITE, calls)).stream()
                .map(byte[].class::cast)
                .toList();
    }

    /** A user's views expire together, after the last one. */
    @Override
    public Optional<Duration> viewsKept() {
        return Optional.of(idleKept);
    }

    @Override
    public List<Added> add(List<Add> adds) {
        return write("add", CounterScripts.ADD, adds, this::step).stream()
                .map(RedisCounters::added)
                .toList();
    }

    private StepArguments step(Add add) {
        Owner owner = add.key().owner();
        boolean isRetractable = add.operation().isPresent() && isRetractable(owner);
        String letters = (add.operation().isPresent() ? "o" : "")
                + (isRetractable ? "t" : "")
                + (add.marked().isPresent() ? "m" : "");
        StepArguments step = StepArguments.of(owner, letters, List.of(keys.cells(owner)))
                .text(add.key().name())
                .number(add.amount());
        add.operation().ifPresent(operation -> step.key(keys.once(owner)).text(operation));
        if (isRetractable) {
            step.key(keys.added(owner));
        }
        add.marked().ifPresent(step::text);
        return step;
    }

    private static Added added(byte[] answer) {
        CompactNumbers bytes = new CompactNumbers(answer);
        Outcome outcome = switch (bytes.next()) {
            case 'A' -> Outcome.ADDED;
            case 'R' -> Outcome.REPEATED;
            case 'U' -> Outcome.UNMARKED;
            case 'O' -> Outcome.OVERFLOW;
            default -> throw new IllegalStateException("unknown outcome of an add: " + answer[0]);
        };
        return new Added(outcome, bytes.number());
    }

    /** Whether operations on an owner's sequences can be retracted. */
    private static boolean isRetractable(Owner owner) {
        return owner.space() == Space.TYPES;
    }

    @Override
    public void retract(List<Retraction> retractions) {
        write("retract", CounterScripts.RETRACT, retractions, each -> {
            Owner owner = each.key().owner();
            return StepArguments.of(owner, "", List.of(keys.cells(owner), keys.once(owner), keys.added(owner)))
                    .text(each.key().name())
                    .text(each.operation());
        });
    }

    @Override
    public List<Raised> raise(List<Raise> raises) {
        return write("raise", CounterScripts.RAISE, raises, this::step).stream()
                .map(CompactNumbers::new)
                .map(bytes -> new Raised(bytes.optional(), bytes.optional()))
                .toList();
    }

    private StepArguments step(Raise raise) {
        Owner owner = raise.key().owner();
        String when = switch (raise.when()) {
            case ALWAYS -> "";
            case PRESENT -> "p";
            case ABSENT -> "a";
        };
        StepArguments step = StepArguments.of(
                        owner, when + (raise.sequence().isPresent() ? "b" : ""), List.of(keys.cells(owner)))
                .text(raise.key().name())
                .number(raise.to())
                .number(raise.by());
        raise.sequence().ifPresent(step::text);
        return step;
    }

    @Override
    public void removeCells(Collection<CellKey> cells) {
        Map<Owner, List<byte[]>> names = new LinkedHashMap<>();
        write(
                "removeCells",
                CounterScripts.REMOVE_CELLS,
                cells.stream().filter(cell -> isRetractable(cell.owner())).toList(),
                cell -> StepArguments.of(cell.owner(), "", List.of(keys.cells(cell.owner()), keys.added(cell.owner())))
                        .text(cell.name()));
        cells.stream()
                .filter(cell -> !isRetractable(cell.owner()))
                .forEach(cell -> names.computeIfAbsent(cell.owner(), owner -> new ArrayList<>())
                        .add(Arguments.text(cell.name())));
        List<Call<Long>> calls = new ArrayList<>();
        names.forEach((owner, fields) -> calls.add(
                Call.of(CommandType.HDEL, IntegerOutput::new, keys.cells(owner), fields.toArray(byte[][]::new))));
        cells.stream()
                .filter(cell -> cell.owner().space() == Space.POSTS)
                .forEach(cell ->
                        calls.add(Call.ofKeys(CommandType.UNLINK, IntegerOutput::new, List.of(keys.newest(cell)))));
        link.runAll("counterStore.removeCells", Effect.WRITE, calls);
    }

    @Override
    public List<OptionalLong> put(List<Put> puts) {
        return write("put", CounterScripts.PUT, puts, this::step).stream()
                .map(answer -> new CompactNumbers(answer).optional())
                .toList();
    }

    private StepArguments step(Put put) {
        Owner owner = put.owner();
        OptionalLong upTo = put.replaced().upTo();
        OptionalLong from = put.replaced().from();
        String letters =
                (put.number().isPresent() ? "" : "n") + (upTo.isPresent() ? "r" : "") + (from.isPresent() ? "f" : "");
        StepArguments step = StepArguments.of(owner, letters, keys.members(owner))
                .member(put.member())
                .label(put.label());
        put.number().ifPresentOrElse(step::number, () -> step.key(keys.cells(owner)));
        upTo.ifPresent(step::number);
        from.ifPresent(step::number);
        return step;
    }

    @Override
    public List<Long> openTickets(List<Owner> owners) {
        return write(
                        "openTickets",
                        CounterScripts.OPEN,
                        owners,
                        owner -> StepArguments.of(owner, "", List.of(keys.once(owner)))
                                .number(TICKETS.next()))
                .stream()
                .map(ticket -> new CompactNumbers(ticket).number())
                .toList();
    }

    @Override
    public List<Boolean> redeem(List<Redemption> redemptions) {
        return write("redeem", CounterScripts.REDEEM, redemptions, this::step).stream()
                .map(RedisCounters::isTrue)
                .toList();
    }

    private StepArguments step(Redemption redemption) {
        Owner owner = redemption.owner();
        StepArguments step = StepArguments.of(
                        owner,
                        redemption.condition().isPresent() ? "i" : "",
                        List.of(keys.once(owner), keys.cells(owner)))
                .number(redemption.ticket());
        redemption
                .condition()
                .ifPresent(condition -> step.text(condition.name()).number(condition.count()));
        step.decimal(redemption.counted().size());
        redemption.counted().forEach(counted -> {
            step.text(counted.name()).number(counted.amount());
            counted.listing()
                    .ifPresentOrElse(
                            listing -> step.key(keys.newest(new CellKey(owner, counted.name())))
                                    .decimal(listing.kept())
                                    .member(listing.name()),
                            () -> step.decimal(0).text(""));
        });
        return step;
    }

    /** A ticket of a post. */
    record Ticket(Owner post, long number) {}

    /** Returns for each ticket whether it is open. */
    List<Boolean> areOpen(List<Ticket> tickets) {
        return write(
                        "reconcile",
                        CounterScripts.TICKETS,
                        tickets,
                        each -> StepArguments.of(each.post(), "", List.of(keys.once(each.post())))
                                .number(each.number()))
                .stream()
                .map(RedisCounters::isTrue)
                .toList();
    }

    /**
     * Begins watches of posts. A watch replaces an earlier one of the same post. It ends after an hour, or when a user
     * is counted whose name is not listed.
     *
     * @param names for each post the names of cells
     * @return the counts of these cells when the watches began
     */
    Map<CellKey, Long> watch(Map<Owner, List<String>> names, long token) {
        List<byte[]> answers = write("reconcile", CounterScripts.WATCH, names.entrySet(), each -> {
            Owner post = each.getKey();
            StepArguments step = StepArguments.of(post, "", List.of(keys.once(post), keys.cells(post)))
                    .number(token)
                    .decimal(each.getValue().size());
            each.getValue().forEach(step::text);
            return step;
        });
        Map<CellKey, Long> counts = new HashMap<>();
        int place = 0;
        for (Map.Entry<Owner, List<String>> each : names.entrySet()) {
            CompactNumbers bytes = new CompactNumbers(answers.get(place++));
            each.getValue()
                    .forEach(name -> counts.put(
                            new CellKey(each.getKey(), name), bytes.optional().orElse(0)));
        }
        return counts;
    }

    /**
     * The first change of a count by a user since a watch began.
     *
     * @param count the count
     * @param user the user
     * @param added whether the user was added, and so was not counted before
     */
    record FirstChange(CellKey count, String user, boolean added) {}

    /** Returns for each post the first change by each user since its watch began; empty if the watch ended. */
    List<Optional<List<FirstChange>>> firstChanges(List<Owner> posts, long token) {
        List<byte[]> answers = write(
                "reconcile",
                CounterScripts.WATCHED,
                posts,
                post -> StepArguments.of(post, "", List.of(keys.once(post))).number(token));
        List<Optional<List<FirstChange>>> changes = new ArrayList<>(posts.size());
        for (byte[] answer : answers) {
            Owner post = posts.get(changes.size());
            changes.add(answer.length == 0 ? Optional.empty() : Optional.of(firstChanges(post, answer)));
        }
        return changes;
    }

    private static List<FirstChange> firstChanges(Owner post, byte[] answer) {
        CompactNumbers bytes = new CompactNumbers(answer);
        List<FirstChange> changes = new ArrayList<>();
        bytes.next();
        while (bytes.hasNext()) {
            boolean added = bytes.next() == 1;
            String name = new String(bytes.bytes(bytes.next()), StandardCharsets.US_ASCII);
            changes.add(new FirstChange(new CellKey(post, name), MemberCodec.name(bytes.bytes(bytes.next())), added));
        }
        return changes;
    }

    /**
     * A count that is wrong.
     *
     * @param key the count
     * @param was its value when the watch of its post began
     * @param is the right value then
     * @param incarnation the name of the cell with the post's incarnation
     * @param present the incarnation then
     */
    record WrongCount(CellKey key, long was, long is, String incarnation, long present) {}

    /**
     * Repairs counts by the difference, whatever was counted since. A count is repaired only if its watch has not ended
     * and its post was not forgotten. Returns for each count whether it was repaired.
     */
    List<Boolean> repair(List<WrongCount> counts, long token) {
        return write("reconcile", CounterScripts.REPAIR, counts, each -> {
                    Owner post = each.key().owner();
                    return StepArguments.of(post, "", List.of(keys.once(post), keys.cells(post)))
                            .number(token)
                            .text(each.key().name())
                            .number(each.is() - each.was())
                            .text(each.incarnation())
                            .number(each.present());
                })
                .stream()
                .map(RedisCounters::isTrue)
                .toList();
    }

    /** Ends watches of posts. */
    void unwatch(List<Owner> posts, long token) {
        write(
                "reconcile",
                CounterScripts.UNWATCH,
                posts,
                post -> StepArguments.of(post, "", List.of(keys.once(post))).number(token));
    }

    /** Recounts the reactions, repairs wrong counts up to a limit, and returns the repairs. */
    public List<Repair> recountReactions(int limit) {
        return recountReactions(limit, ReactionRecount.USERS);
    }

    /** The same, with a maximum of users who are kept in memory. */
    List<Repair> recountReactions(int limit, int users) {
        return new ReactionRecount(link, keys, this, users).repair(limit, false);
    }

    /** Finds the same counts, and leaves them as they are. */
    public List<Repair> wrongReactionCounts(int limit) {
        return new ReactionRecount(link, keys, this, ReactionRecount.USERS).repair(limit, true);
    }

    private static boolean isTrue(byte[] answer) {
        return answer[0] == '1';
    }

    @Override
    public List<Optional<Member>> turn(List<Turn> turns) {
        List<byte[]> members = write("turn", CounterScripts.TURN, turns, turn -> {
            StepArguments step = StepArguments.of(
                            turn.owner(), turn.from().isPresent() ? "f" : "", keys.members(turn.owner()))
                    .member(turn.member())
                    .number(turn.ticket())
                    .label(turn.to());
            turn.from().ifPresent(step::label);
            return step;
        });
        List<Optional<Member>> turned = new ArrayList<>(turns.size());
        for (byte[] member : members) {
            String name = turns.get(turned.size()).member();
            turned.add(member.length == 0 ? Optional.empty() : Optional.of(MemberCodec.member(name, member)));
        }
        return turned;
    }

    @Override
    public void settle(List<Settlement> turns) {
        write("settle", CounterScripts.SETTLE, turns, turn -> {
            StepArguments step = StepArguments.of(
                            turn.owner(), turn.label().isEmpty() ? "x" : "", keys.members(turn.owner()))
                    .member(turn.member().name())
                    .number(turn.member().number());
            turn.label().ifPresent(step::label);
            return step;
        });
    }

    @Override
    public List<Boolean> removeMembers(Owner owner, List<String> members) {
        return write(
                        "removeMembers",
                        CounterScripts.REMOVE,
                        members,
                        member ->
                                StepArguments.of(owner, "", keys.members(owner)).member(member))
                .stream()
                .map(RedisCounters::isTrue)
                .toList();
    }

    @Override
    public void relabel(Owner owner, String member, String label) {
        write(
                "relabel",
                CounterScripts.RELABEL,
                List.of(member),
                name -> StepArguments.of(owner, "", List.of(keys.set(owner)))
                        .member(name)
                        .label(label));
    }

    @Override
    public Found read(Wanted wanted) {
        return reader.read(wanted);
    }

    @Override
    public void forget(Collection<Owner> owners) {
        Set<Owner> distinct = new LinkedHashSet<>(owners);
        List<Owner> posts =
                distinct.stream().filter(owner -> owner.space() == Space.POSTS).toList();
        // The lists of a post have the names of its cells.
        Map<Owner, Set<String>> names = new HashMap<>();
        if (!posts.isEmpty()) {
            List<Map<String, Cell>> cells = cells(posts);
            for (int i = 0; i < posts.size(); i++) {
                names.put(posts.get(i), cells.get(i).keySet());
            }
        }
        List<Call<Long>> calls = distinct.stream()
                .map(owner -> {
                    List<byte[]> all = new ArrayList<>(List.of(keys.cells(owner), keys.added(owner)));
                    all.addAll(keys.members(owner));
                    names.getOrDefault(owner, Set.of()).forEach(name -> all.add(keys.newest(new CellKey(owner, name))));
                    return Call.ofKeys(CommandType.UNLINK, IntegerOutput::new, all);
                })
                .toList();
        link.runAll("counterStore.forget", Effect.WRITE, calls);
    }
}
