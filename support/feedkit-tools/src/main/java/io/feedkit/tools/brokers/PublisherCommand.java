package io.feedkit.tools.brokers;

import io.feedkit.Post;
import io.feedkit.Published;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The process that publishes. It needs no broker, and ends when the post is in the database. */
@Command(name = "publisher", sortOptions = false, description = "Publishes the celebrity's post, and exits.")
final class PublisherCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final Place place = new Place();

    @Override
    public Integer call() {
        place.check();
        try (Member member = place.orRefuse(() -> Member.publisher(place))) {
            Post post = place.post();
            boolean isNew = member.engine().publish(post).status() == Published.Status.NEW;
            Lines.print(spec, (isNew ? "published " : "not published again: ") + post.author() + "/" + post.id());
            return ExitCode.OK;
        }
    }
}
