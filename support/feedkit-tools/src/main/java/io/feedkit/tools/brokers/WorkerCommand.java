package io.feedkit.tools.brokers;

import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDelivered;
import io.feedkit.fanout.QueueTraffic;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A process that pushes posts into inboxes. A run can have any number of workers. */
@Command(
        name = "worker",
        sortOptions = false,
        description = "Takes tasks from the queue, pushes posts into inboxes, and prints the progress, until Ctrl-C.")
final class WorkerCommand implements Callable<Integer>, FeedListener {

    /** The beginning of the line that a worker prints in the middle of a task, before it records its progress. */
    static final String IN_THE_MIDDLE = "in the middle of a task";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final Place place = new Place();

    @Mixin
    private final Lifetime lifetime = new Lifetime();

    @Option(
            names = "--tell-at",
            hidden = true,
            defaultValue = "" + Long.MAX_VALUE,
            description = "Print a line when the post has been pushed into this number of inboxes.")
    private long tellAt;

    private final AtomicLong pushed = new AtomicLong();

    @Override
    public void delivered(PostDelivered event) {
        long now = pushed.addAndGet(event.readers().size());
        if (now >= tellAt && now - event.readers().size() < tellAt) {
            Lines.print(spec, IN_THE_MIDDLE + ": pushed to " + Figures.count(now) + " inboxes");
        }
    }

    @Override
    public Integer call() {
        place.check();
        lifetime.begin();
        try (Member member = place.orRefuse(() -> Member.worker(place, this))) {
            Lines.print(spec, Lines.READY);
            long told = 0;
            boolean goesOn = true;
            while (goesOn) {
                goesOn = lifetime.goesOn();
                long now = pushed.get();
                if (now != told) {
                    QueueTraffic queue = member.engine().fanout().backlog().queue();
                    Lines.print(
                            spec,
                            "pushed to " + Figures.count(now) + " inboxes; queue: taken " + queue.taken() + ", refused "
                                    + queue.refused());
                    told = now;
                }
            }
            return ExitCode.OK;
        } finally {
            lifetime.end();
        }
    }
}
