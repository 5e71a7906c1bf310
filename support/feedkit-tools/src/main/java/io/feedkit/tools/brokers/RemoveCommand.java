package io.feedkit.tools.brokers;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** Deletes what the processes of a run have shared. */
@Command(
        name = "remove",
        sortOptions = false,
        description = "Deletes the tables, keys, queues and topics of a run. End its processes first.")
final class RemoveCommand implements Callable<Integer> {

    @Mixin
    private final Place place = new Place();

    @Override
    public Integer call() {
        place.check();
        place.orRefuse(() -> {
            new Preparation(place).remove();
            return true;
        });
        return ExitCode.OK;
    }
}
