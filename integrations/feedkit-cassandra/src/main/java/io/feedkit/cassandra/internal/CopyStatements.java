package io.feedkit.cassandra.internal;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** The prepared statements. The driver prepares them again on a server that has lost them. */
public record CopyStatements(
        PreparedStatement selectHead,
        PreparedStatement selectHeadTimes,
        PreparedStatement insertHead,
        PreparedStatement selectParts,
        PreparedStatement insertPart,
        PreparedStatement deleteParts) {

    static CopyStatements prepare(Calls calls, Calls later, CopyTables tables) {
        List<CompletionStage<PreparedStatement>> sent = Stream.of(
                        tables.selectHead(),
                        tables.selectHeadTimes(),
                        tables.insertHead(),
                        tables.selectParts(),
                        tables.insertPart(),
                        tables.deleteParts())
                .map(later::prepare)
                .toList();
        List<PreparedStatement> all =
                sent.stream().map(each -> calls.await("copies.prepare", each)).toList();
        return new CopyStatements(all.get(0), all.get(1), all.get(2), all.get(3), all.get(4), all.get(5));
    }
}
