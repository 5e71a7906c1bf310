package io.feedkit.redis.internal.graph;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.call.Script;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The steps of a change of edges. Each step is one atomic script for all edges of a bucket. */
final class EdgeSteps {

    private static final Script<List<Object>> CHANGE = Script.list("graph/common", "graph/write", "graph/change");
    private static final Script<List<Object>> REDIRECT = Script.list("graph/common", "graph/write", "graph/redirect");
    private static final Script<List<Object>> MIRROR = Script.list("graph/common", "graph/mirror");
    private static final Script<List<Object>> SETTLE = Script.list("graph/common", "graph/settle");

    /** The most edges of one script: half a millisecond of the server's time. */
    private static final int AT_ONCE = 100;

    private final RedisLink link;
    private final GraphKeys keys;
    private final ScriptClock clock;

    EdgeSteps(RedisLink link, Keys keys, ScriptClock clock) {
        this.link = link;
        this.keys = new GraphKeys(keys);
        this.clock = clock;
    }

    /** Changes edges on the readers' side, which is the source of truth. */
    List<EdgeWriteResult> change(String operation, List<EdgeWrite> writes) {
        List<Object> answers = each(
                operation,
                CHANGE,
                writes,
                write -> new EdgeArguments(
                        write.edge().reader(),
                        keys.readersSide(write.edge()),
                        List.of(
                                Arguments.text(write.desired().letter()),
                                Arguments.text(write.edge().author()),
                                Arguments.text(Long.toString(write.above())))));
        return IntStream.range(0, writes.size())
                .mapToObj(i -> changeOf(writes.get(i).edge(), (byte[]) answers.get(i)))
                .toList();
    }

    /** Adds readers to an author's side, ahead of their change on the readers' side. */
    void announce(String operation, List<String> readers, String author) {
        List<Call<Long>> calls = new ArrayList<>();
        for (int i = 0; i < readers.size(); i += AT_ONCE) {
            List<byte[]> arguments = new ArrayList<>();
            readers.subList(i, Math.min(readers.size(), i + AT_ONCE)).forEach(reader -> {
                arguments.add(Arguments.number(0));
                arguments.add(Arguments.text(reader));
            });
            calls.add(Call.of(
                    CommandType.ZADD, IntegerOutput::new, keys.followers(author), arguments.toArray(byte[][]::new)));
        }
        link.runAll(operation, Effect.WRITE, calls);
    }

    /**
     * Redirects edges to another author on the readers' side. An edge that does not exist changes nothing. Returns for
     * each edge its result, and that of the edge to the other author.
     */
    List<EdgeWriteResult> redirect(String operation, List<Edge> edges, String author) {
        List<Object> answers = each(
                operation,
                REDIRECT,
                edges,
                edge -> new EdgeArguments(
                        edge.reader(),
                        keys.readersSide(edge),
                        List.of(Arguments.text(edge.author()), Arguments.text(author))));
        List<EdgeWriteResult> results = new ArrayList<>(2 * edges.size());
        for (int i = 0; i < edges.size(); i++) {
            Edge edge = edges.get(i);
            List<?> pair = (List<?>) answers.get(i);
            results.add(changeOf(edge, (byte[]) pair.get(0)));
            results.add(changeOf(new Edge(edge.reader(), author), (byte[]) pair.get(1)));
        }
        return results;
    }

    /**
     * Applies changes on the authors' side. Returns for each change 0, or the version of the later change that rejected
     * it.
     */
    List<Long> mirror(String operation, List<EdgeWriteResult> changes) {
        return each(
                        operation,
                        MIRROR,
                        changes,
                        change -> new EdgeArguments(
                                change.edge().author(),
                                keys.authorsSide(change.edge()),
                                List.of(
                                        Arguments.text(change.edge().reader()),
                                        Arguments.flag(change.present()),
                                        Arguments.flag(change.raced()),
                                        Arguments.text(Long.toString(change.version())))))
                .stream()
                .map(Long.class::cast)
                .toList();
    }

    /** Records on the readers' side that the authors' side has the changes. */
    void settle(String operation, List<EdgeWriteResult> changes) {
        each(
                operation,
                SETTLE,
                changes,
                change -> new EdgeArguments(
                        change.edge().reader(),
                        List.of(keys.edges(change.edge().reader())),
                        List.of(
                                Arguments.text(change.edge().author()),
                                Arguments.text(Long.toString(change.version())))));
    }

    private <T> List<Object> each(
            String operation, Script<List<Object>> script, List<T> all, Function<T, EdgeArguments> describe) {
        List<EdgeArguments> items = all.stream().map(describe).toList();
        List<byte[]> same = List.of(clock.now());
        PartitionBatcher<EdgeArguments> split = PartitionBatcher.of(items, item -> Keys.bucket(item.user()), AT_ONCE);
        return split.inPlace(link.runAll(
                operation,
                Effect.WRITE,
                split.each(batch -> script.on(
                        batch.items().stream()
                                .flatMap(item -> item.keys().stream())
                                .toList(),
                        batch.values(same, EdgeArguments::arguments)))));
    }

    /** An answer is three flags and the version. */
    private static EdgeWriteResult changeOf(Edge edge, byte[] answer) {
        String text = new String(answer, StandardCharsets.US_ASCII);
        return new EdgeWriteResult(
                edge,
                text.charAt(0) == '1',
                text.charAt(1) == '1',
                text.charAt(2) == '1',
                Long.parseLong(text.substring(3)));
    }

    /** An edge's share of a script's keys and arguments. */
    private record EdgeArguments(String user, List<byte[]> keys, List<byte[]> arguments) {}
}
