package io.feedkit.tools.inspect;

import io.feedkit.redis.RedisInboxes;
import io.lettuce.core.RedisException;
import java.io.PrintWriter;
import java.util.function.BiConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code inspect}. */
@Command(
        name = "inspect",
        headerHeading = "Example: feedkit-tools inspect --uri redis://127.0.0.1:6379 reader ann%n%n",
        description = "Shows FeedKit's data on a Redis server, or the state of a feed on any store. It only reads.",
        synopsisSubcommandLabel = "(explain | state | reader ID | author ID | log | register | format)",
        subcommands = {StateCommand.class, ExplainCommand.class})
public final class InspectCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run
    private CommandSpec spec;

    @Option(
            names = "--uri",
            paramLabel = "URI",
            defaultValue = "redis://127.0.0.1:6379",
            description = "Address of the server, or redis-sentinel:// or redis-cluster:// with several hosts "
                    + "(default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli sets the default
    private String uri;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = RedisInboxes.DEFAULT_PREFIX,
            description = "Prefix of the keys (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private String prefix;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            description = "Largest number of lines per key (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a subcommand is missing: explain, state, reader ID, author ID, log, register or format");
    }

    @Command(name = "reader", description = "A reader's inbox, unfinished follows, followees and mark.")
    void reader(@Parameters(paramLabel = "ID") String reader) {
        look((on, out) -> new ReaderView(on, out, limit).print(reader));
    }

    @Command(name = "author", description = "An author's posts, recent-posts cache (head) and followers.")
    void author(@Parameters(paramLabel = "ID") String author) {
        look((on, out) -> new AuthorView(on, out, limit).print(author));
    }

    @Command(name = "log", description = "The fan-out tasks.")
    void log() {
        look((on, out) -> new LogView(on, out, limit).print());
    }

    @Command(name = "register", description = "The pulled authors, and the deleted posts that are being retracted.")
    void register() {
        look((on, out) -> new RegisterView(on, out, limit).print());
    }

    @Command(
            name = "format",
            description = "The versions of the stored formats, and the source of truth that the inboxes belong to.")
    void format() {
        look((on, out) -> new FormatView(on, out).print());
    }

    private void look(BiConsumer<Server, PrintWriter> at) {
        if (limit < 1) {
            throw new ParameterException(spec.commandLine(), "limit must be at least 1, but is " + limit);
        }
        PrintWriter out = spec.commandLine().getOut();
        try (Connection connection = Connection.open(uri)) {
            Server server = new Server(connection, prefix);
            if (server.isEmpty()) {
                out.println("nothing is kept under prefix " + prefix);
            } else {
                at.accept(server, out);
            }
        } catch (IllegalArgumentException | IllegalStateException | RedisException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        } finally {
            out.flush();
        }
    }
}
