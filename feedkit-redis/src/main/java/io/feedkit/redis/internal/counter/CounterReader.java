package io.feedkit.redis.internal.counter;

import static java.util.Objects.requireNonNull;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterReads.Found;
import io.feedkit.spi.counter.CounterReads.Lookup;
import io.feedkit.spi.counter.CounterReads.Newest;
import io.feedkit.spi.counter.CounterReads.NewestOf;
import io.feedkit.spi.counter.CounterReads.PageOf;
import io.feedkit.spi.counter.CounterReads.Standing;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads counters. It sends all requests at once, and then waits for the answers.
 *
 * @param link the servers
 * @param keys the keys of owners
 * @param clock the time argument of scripts
 */
record CounterReader(RedisLink link, OwnerKeys keys, ScriptClock clock) {

    /** The most marks of one script. */
    private static final int AT_ONCE = 100;

    Found read(Wanted wanted) {
        ReadPipeline pipeline = new ReadPipeline();
        Supplier<List<Map<String, Cell>>> cells = each(
                wanted.cells(),
                owner -> pipeline.ask(command(CommandType.HGETALL, keys.cells(owner)), CounterReader::cells));
        Supplier<List<Cell>> cellsOf = cellsOf(pipeline, wanted.cellsOf());
        Supplier<List<Standing>> standings = standings(pipeline, wanted.standings());
        Supplier<List<List<Member>>> members = each(
                wanted.members(),
                owner -> pipeline.ask(command(CommandType.HGETALL, keys.set(owner)), CounterReader::members));
        Supplier<List<Map<String, Member>>> lookups = each(wanted.lookups(), lookup -> lookup(pipeline, lookup));
        Supplier<List<List<Member>>> pages =
                each(wanted.pages(), page -> pipeline.ask(call(page), fields -> page(page, members(fields))));
        Supplier<List<Newest>> newest =
                each(wanted.newest(), asked -> pipeline.ask(call(asked), CounterReader::newest));
        pipeline.send();
        return new Found(
                cells.get(), cellsOf.get(), standings.get(), members.get(), lookups.get(), pages.get(), newest.get());
    }

    private Call<List<Object>> call(PageOf page) {
        byte[] set = keys.set(page.owner());
        OwnerKind kind = OwnerKind.of(page.owner().space());
        return kind == OwnerKind.PAGED
                        || (kind == OwnerKind.ORDERED && page.prefix().isEmpty())
                ? CounterScripts.PAGE.on(
                        List.of(set, keys.order(page.owner())),
                        same(
                                MemberCodec.field(page.prefix()),
                                CompactNumbers.of(page.below()),
                                Arguments.number(page.limit())))
                : command(CommandType.HGETALL, set);
    }

    /** Selects a page, because the script returns a small set as a whole. */
    private static List<Member> page(PageOf page, List<Member> members) {
        return members.stream()
                .filter(member -> member.name().startsWith(page.prefix()) && member.number() < page.below())
                .sorted(Comparator.comparingLong(Member::number).reversed())
                .limit(page.limit())
                .toList();
    }

    private Call<List<Object>> call(NewestOf asked) {
        return CounterScripts.NEWEST.on(
                List.of(keys.cells(asked.key().owner()), keys.newest(asked.key())),
                same(Arguments.text(asked.key().name()), Arguments.number(asked.limit())));
    }

    private static Newest newest(List<Object> answer) {
        return new Newest(
                CellCodec.of(answer.get(0)).count(),
                ((List<?>) answer.get(1))
                        .stream().map(name -> MemberCodec.name((byte[]) name)).toList());
    }

    /** The arguments that all scripts begin with, and others. Reads do not use the two periods. */
    private List<byte[]> same(byte[]... others) {
        List<byte[]> all = new ArrayList<>(List.of(clock.now(), Arguments.number(0), Arguments.number(0)));
        all.addAll(List.of(others));
        return all;
    }

    /** Sends each request now; the supplier takes the answers later. */
    private static <I, A> Supplier<List<A>> each(List<I> items, Function<I, Supplier<A>> ask) {
        List<Supplier<A>> asked = items.stream().map(ask).toList();
        return () -> asked.stream().map(Supplier::get).toList();
    }

    private static Call<List<Object>> command(CommandType type, byte[] key, byte[]... arguments) {
        return Call.of(type, ArrayOutput::new, key, arguments);
    }

    private static Map<String, Cell> cells(List<Object> fields) {
        Map<String, Cell> cells = new HashMap<>();
        for (int i = 0; i < fields.size(); i += 2) {
            cells.put(new String((byte[]) fields.get(i), StandardCharsets.US_ASCII), CellCodec.of(fields.get(i + 1)));
        }
        return Map.copyOf(cells);
    }

    private static List<Member> members(List<Object> fields) {
        List<Member> members = new ArrayList<>(fields.size() / 2);
        for (int i = 0; i < fields.size(); i += 2) {
            members.add(MemberCodec.member(MemberCodec.name((byte[]) fields.get(i)), (byte[]) fields.get(i + 1)));
        }
        return List.copyOf(members);
    }

    /** Sends one request for each owner. */
    private Supplier<List<Cell>> cellsOf(ReadPipeline pipeline, List<CellKey> wanted) {
        Map<Owner, List<byte[]>> names = new LinkedHashMap<>();
        List<Integer> places = new ArrayList<>(wanted.size());
        for (CellKey key : wanted) {
            List<byte[]> ofOwner = names.computeIfAbsent(key.owner(), owner -> new ArrayList<>());
            places.add(ofOwner.size());
            ofOwner.add(Arguments.text(key.name()));
        }
        Map<Owner, Supplier<List<Object>>> asked = new HashMap<>();
        names.forEach((owner, fields) -> asked.put(
                owner,
                pipeline.ask(
                        command(CommandType.HMGET, keys.cells(owner), fields.toArray(byte[][]::new)),
                        Function.identity())));
        return () -> {
            List<Cell> cells = new ArrayList<>(wanted.size());
            for (CellKey key : wanted) {
                List<@Nullable Object> values =
                        requireNonNull(asked.get(key.owner())).get();
                cells.add(CellCodec.of(values.get(places.get(cells.size()))));
            }
            return List.copyOf(cells);
        };
    }

    private Supplier<List<Standing>> standings(ReadPipeline pipeline, List<CellKey> marks) {
        List<byte[]> same = same();
        PartitionBatcher<CellKey> split =
                PartitionBatcher.of(marks, link.apart(mark -> OwnerKeys.bucket(mark.owner())), AT_ONCE);
        List<Supplier<List<Object>>> asked = split.each(batch -> pipeline.ask(
                CounterScripts.STANDING.on(
                        batch.items().stream()
                                .flatMap(mark -> compared(mark.owner()).stream())
                                .toList(),
                        batch.values(
                                same,
                                mark -> List.of(
                                        Arguments.text(OwnerKind.of(mark.owner().space())
                                                .letter()),
                                        Arguments.text(mark.name())))),
                Function.identity()));
        return () -> split.inPlace(asked.stream().map(Supplier::get).toList()).stream()
                .map(CounterReader::standing)
                .toList();
    }

    private List<byte[]> compared(Owner owner) {
        return List.of(
                keys.cells(owner),
                OwnerKind.of(owner.space()) == OwnerKind.ORDERED ? keys.order(owner) : keys.set(owner));
    }

    private static Standing standing(Object answer) {
        List<?> parts = (List<?>) answer;
        Cell sequence = CellCodec.of(parts.get(0));
        Cell mark = CellCodec.of(parts.get(1));
        return new Standing(new Cell(sequence.count(), mark.mark()), (Long) parts.get(2));
    }

    private Supplier<Map<String, Member>> lookup(ReadPipeline pipeline, Lookup lookup) {
        List<String> names = List.copyOf(lookup.members());
        if (names.isEmpty()) {
            return Map::of;
        }
        byte[][] fields = names.stream().map(MemberCodec::field).toArray(byte[][]::new);
        return pipeline.ask(
                command(CommandType.HMGET, keys.set(lookup.owner()), fields), values -> there(names, values));
    }

    private static Map<String, Member> there(List<String> names, List<@Nullable Object> values) {
        Map<String, Member> there = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) instanceof byte[] value) {
                there.put(names.get(i), MemberCodec.member(names.get(i), value));
            }
        }
        return Map.copyOf(there);
    }

    /** Requests that are sent together. Not thread-safe. */
    private final class ReadPipeline {

        private final List<Call<List<Object>>> calls = new ArrayList<>();
        private List<List<Object>> answers = List.of();

        /** The answer is available after {@link #send}. */
        <A> Supplier<A> ask(Call<List<Object>> call, Function<List<Object>, A> meaning) {
            int place = calls.size();
            calls.add(call);
            return () -> meaning.apply(answers.get(place));
        }

        void send() {
            answers = link.ask("counterStore.read", calls).get();
        }
    }
}
