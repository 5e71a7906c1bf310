package io.feedkit.tools.brokers;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Creates what the processes of a run share. */
@Command(
        name = "prepare",
        sortOptions = false,
        description = "Creates the tables, queues and topics of a run, and followers with live inboxes.")
final class PrepareCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final Place place = new Place();

    @Mixin
    private final Followers followers = new Followers();

    @Override
    public Integer call() {
        place.check();
        int number = followers.number();
        Preparation preparation = new Preparation(place);
        preparation.makeEmpty();
        preparation.addFollowers(number);
        Lines.print(spec, Figures.count(number) + " followers of " + Place.CELEBRITY + " have live inboxes now");
        return ExitCode.OK;
    }
}
