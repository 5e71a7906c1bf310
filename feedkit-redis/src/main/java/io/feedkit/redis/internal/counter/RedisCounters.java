package io.feedkit.redis.internal.counter;

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
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Counters in Redis. Each owner has a hash of cells, a hash of members, and a sorted set of operations that must not be
 * repeated, all in one slot.
 *
 * <p>A script does up to a hundred steps, in their order. On one server their owners may be in any buckets, in a
 * cluster in one bucket.
 */
public final class RedisCounters implements CounterStore {

    /** The most steps of one script, which take half a millisecond or so. */
    private static final int AT_ONCE = 100;

    /**
     * Tickets have only 48 bits, because members keep them, which costs memory. A ticket must differ only from those
     * that are open at its post, or were lately.
     */
    private static final int UNUSED_TICKET_BITS = 15;

    private final RedisLink link;
    private final OwnerKeys keys;
    private final ScriptClock clock;
    private final List<byte[]> limits;
    private final CounterReader answers;

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
        this.limits = List.of(Arguments.millis(operationsKept.toMillis()), Arguments.millis(idleKept.toMillis()));
        this.answers = new CounterReader(link, this.keys, clock);
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

    @Override
    public List<Added> add(List<Add> adds) {
        return write("add", CounterScripts.ADD, adds, this::step).stream()
                .map(RedisCounters::added)
                .toList();
    }

    private StepArguments step(Add add) {
        Owner owner = add.key().owner();
        String letters =
                (add.operation().isPresent() ? "o" : "") + (add.marked().isPresent() ? "m" : "");
        StepArguments step = StepArguments.of(owner, letters, List.of(keys.cells(owner)))
                .text(add.key().name())
                .number(add.amount());
        add.operation().ifPresent(operation -> step.key(keys.once(owner)).text(operation));
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
        cells.forEach(cell ->
                names.computeIfAbsent(cell.owner(), owner -> new ArrayList<>()).add(Arguments.text(cell.name())));
        List<Call<Long>> calls = names.entrySet().stream()
                .map(each -> Call.of(
                        CommandType.HDEL,
                        IntegerOutput::new,
                        keys.cells(each.getKey()),
                        each.getValue().toArray(byte[][]::new)))
                .toList();
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
        String letters = (put.number().isPresent() ? "" : "n") + (upTo.isPresent() ? "r" : "");
        StepArguments step = StepArguments.of(owner, letters, keys.members(owner))
                .member(put.member())
                .label(put.label());
        put.number().ifPresentOrElse(step::number, () -> step.key(keys.cells(owner)));
        upTo.ifPresent(step::number);
        return step;
    }

    @Override
    public List<Long> openTickets(List<Owner> owners) {
        List<OpenedTicket> opened = owners.stream()
                .map(owner -> new OpenedTicket(owner, newTicket()))
                .toList();
        write(
                "openTickets",
                CounterScripts.OPEN,
                opened,
                each -> StepArguments.of(each.owner(), "", List.of(keys.once(each.owner())))
                        .number(each.ticket()));
        return opened.stream().map(OpenedTicket::ticket).toList();
    }

    private record OpenedTicket(Owner owner, long ticket) {}

    private static long newTicket() {
        long ticket = Arguments.newToken() >>> UNUSED_TICKET_BITS;
        return ticket == 0 ? newTicket() : ticket;
    }

    @Override
    public List<Boolean> redeem(List<Redemption> redemptions) {
        return write("redeem", CounterScripts.REDEEM, redemptions, each -> {
                    Owner owner = each.key().owner();
                    return StepArguments.of(owner, "", List.of(keys.once(owner), keys.cells(owner)))
                            .text(each.key().name())
                            .number(each.ticket())
                            .number(each.amount());
                })
                .stream()
                .map(RedisCounters::isYes)
                .toList();
    }

    private static boolean isYes(byte[] answer) {
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
        write(
                "settle",
                CounterScripts.SETTLE,
                turns,
                turn -> StepArguments.of(turn.owner(), turn.removed() ? "x" : "", keys.members(turn.owner()))
                        .member(turn.member().name())
                        .number(turn.member().number()));
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
                .map(RedisCounters::isYes)
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
        return answers.to(wanted);
    }

    @Override
    public void forget(Collection<Owner> owners) {
        List<Call<Long>> calls = new LinkedHashSet<>(owners)
                .stream()
                        .map(owner -> Call.ofKeys(
                                CommandType.UNLINK,
                                IntegerOutput::new,
                                Stream.concat(Stream.of(keys.cells(owner)), keys.members(owner).stream())
                                        .toList()))
                        .toList();
        link.runAll("counterStore.forget", Effect.WRITE, calls);
    }
}
