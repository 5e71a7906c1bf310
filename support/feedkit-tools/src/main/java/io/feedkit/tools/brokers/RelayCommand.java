package io.feedkit.tools.brokers;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The process that lends tasks to the queue. */
@Command(
        name = "relay",
        sortOptions = false,
        description =
                "Lends tasks to the queue, sends post events, and prints the backlog once a second, until Ctrl-C.")
final class RelayCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final Place place = new Place();

    @Mixin
    private final Lifetime lifetime = new Lifetime();

    @Override
    public Integer call() {
        place.check();
        lifetime.begin();
        try (Member member = place.orRefuse(() -> Member.relay(place))) {
            Lines.print(spec, Lines.READY);
            boolean busy = false;
            while (lifetime.goesOn()) {
                var backlog = member.engine().fanout().backlog();
                if (busy || backlog.tasks() > 0) {
                    Lines.print(spec, Figures.of(backlog));
                }
                busy = backlog.tasks() > 0;
            }
            return ExitCode.OK;
        } finally {
            lifetime.end();
        }
    }
}
