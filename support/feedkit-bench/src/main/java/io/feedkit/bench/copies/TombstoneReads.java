package io.feedkit.bench.copies;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.TraceEvent;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.cassandra.internal.CopyTables;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.InboxCopies.Head;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** How many reads meet no deleted cells, after copies were replaced, dropped and made again. The server traces them. */
final class TombstoneReads implements Measurement {

    private static final String PREFIX = "traced";
    private static final CopyTables TABLES = new CopyTables(CopyServer.KEYSPACE);
    private static final Pattern READ = Pattern.compile("Read \\d+ live rows and (\\d+) tombstone cells");
    private static final int DEPTH = 200;
    private static final int LEAST_READERS = 12;
    private static final int MOST_READERS = 200;
    private static final int READERS_PART = 50_000;
    private static final int TIMES = 3;
    private static final int PAGE_ROWS = 128;

    @Override
    public String name() {
        return "tombstones";
    }

    @Override
    public Optional<String> lacks() {
        return CopyServer.lacks();
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int readers = Math.max(LEAST_READERS, Math.min(MOST_READERS, scale.followers() / READERS_PART));
        List<String> names =
                IntStream.range(0, readers).mapToObj(i -> "reader" + i).toList();
        try (CopyServer server = CopyServer.start()) {
            InboxCopies copies = server.copies(PREFIX);
            change(copies, names);
            Traces traces = new Traces(server.session());
            for (String reader : names) {
                traces.read(TABLES.selectHead(), PREFIX, reader);
                copies.heads(List.of(reader))
                        .get(0)
                        .map(Head::token)
                        .ifPresent(token -> traces.read(TABLES.selectParts(), PREFIX, reader, token));
            }
            return List.of(new Figure(
                    name() + ": traced reads without a tombstone (of all)",
                    "reads",
                    traces.clean,
                    traces.all,
                    new Target.RatioAtLeast(1)));
        }
    }

    /** Replaces every copy, drops that of every second reader, and makes that of every fourth reader again. */
    private static void change(InboxCopies copies, List<String> names) {
        MadeCopy copy = MadeCopy.of(DEPTH);
        for (int i = 0; i < names.size(); i++) {
            String reader = names.get(i);
            for (int token = 1; token <= TIMES; token++) {
                copy.write(copies, reader, token);
            }
            if (i % 2 == 0) {
                copies.drop(List.of(reader));
            }
            if (i % 4 == 0) {
                copy.write(copies, reader, TIMES + 1);
            }
        }
    }

    /** Reads as the store does, and counts those that met no tombstone. Used by one thread. */
    private static final class Traces {

        private final CqlSession session;
        private int clean;
        private int all;

        Traces(CqlSession session) {
            this.session = session;
        }

        void read(String statement, Object... values) {
            List<String> tombstones = session
                    .execute(SimpleStatement.newInstance(statement, values)
                            .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                            .setPageSize(PAGE_ROWS)
                            .setTracing(true))
                    .getExecutionInfo()
                    .getQueryTrace()
                    .getEvents()
                    .stream()
                    .map(TraceEvent::getActivity)
                    .map(READ::matcher)
                    .filter(Matcher::find)
                    .map(found -> found.group(1))
                    .toList();
            if (tombstones.isEmpty()) {
                throw new IllegalStateException("the trace of a read must count tombstones: " + statement);
            }
            all++;
            clean += tombstones.stream().allMatch("0"::equals) ? 1 : 0;
        }
    }
}
