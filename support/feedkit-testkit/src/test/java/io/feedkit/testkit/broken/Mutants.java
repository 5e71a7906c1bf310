package io.feedkit.testkit.broken;

import java.util.List;
import java.util.stream.Stream;

/** All broken stores. */
final class Mutants {

    static final List<Mutant> ALL = Stream.of(
                    InboxEntryMutants.ALL,
                    InboxLifeMutants.ALL,
                    OutboxWriteMutants.ALL,
                    OutboxReadMutants.ALL,
                    EventMutants.ALL,
                    OwnerMutants.ALL,
                    LateDeletionMutants.ALL,
                    CountMutants.ALL,
                    LogLeaseMutants.ALL,
                    LogLendingMutants.ALL,
                    LogTaskMutants.ALL,
                    LogRestartMutants.ALL,
                    LogQueueStatusMutants.ALL,
                    ExplainMutants.ALL,
                    RegisterMutants.ALL,
                    RegisterUpdateMutants.ALL,
                    GraphMutants.ALL,
                    SeenMarksMutants.ALL,
                    RankSnapshotsMutants.ALL,
                    FeedMutants.ALL,
                    TroubleMutants.ALL)
            .flatMap(List::stream)
            .toList();

    private Mutants() {}

    static Mutant named(String name) {
        return ALL.stream()
                .filter(mutant -> mutant.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no mutant " + name));
    }
}
