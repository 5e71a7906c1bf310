package io.feedkit.tools.inspect;

import io.feedkit.FeedEngine;
import io.feedkit.PostKey;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code inspect explain}. */
@Command(
        name = "explain",
        headerHeading = "Example: feedkit-tools inspect explain --store"
                + " redis://127.0.0.1:6379+jdbc:postgresql://127.0.0.1/app ann bob/post-1%n%n",
        description = "Why a post is, or is not, in a reader's feed. On any store. It only reads. It does not know the "
                + "filter and the loader of the application.")
final class ExplainCommand extends EngineCommand {

    @Parameters(index = "0", paramLabel = "READER", description = "The reader's user id.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before run
    private String reader;

    @Parameters(
            index = "1",
            paramLabel = "AUTHOR/POST",
            description = "The author's user id, and the id of the post. The first slash separates them.")
    @SuppressWarnings("NullAway.Init")
    private String post;

    @Override
    void print(FeedEngine engine, PrintWriter out) {
        int slash = post.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("the post must have the form AUTHOR/POST, but is " + post);
        }
        PostKey key = new PostKey(post.substring(0, slash), post.substring(slash + 1));
        new StateReport(out).print(engine.explain(reader, key));
    }
}
