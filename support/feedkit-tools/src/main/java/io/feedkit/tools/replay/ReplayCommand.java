package io.feedkit.tools.replay;

import static java.util.Objects.requireNonNull;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.tools.input.InputException;
import io.feedkit.tools.servers.FanoutQueues;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the replay. */
@Command(
        name = "replay",
        sortOptions = false,
        usageHelpWidth = 100,
        description = "Replays recorded posts through an engine, lets every reader read, and prints what it took.",
        customSynopsis = {
            "feedkit-tools replay --follows FILE[,FILE...] (--posts FILE | --ops FILE)",
            "       --policy push|pull|hybrid:N|active:N|online[:N] [--store STORE] [--cap N] [--page N]",
            "       [--live-window 7d] [--threads N] [--newest 50 | --walk] [--digest] [--unread]"
        },
        footer = {
            "",
            "Files are plain text or gzip, one record per line, fields divided by single spaces. Ids are decimal",
            "integers without a sign. A malformed line ends the run with exit code 2 before anything is done.",
            "",
            "A clock follows the events and never goes back, but on Redis, where time is the server's own,",
            "for live windows, too. Every reader reads once before the first event.",
            "Readers are those who follow somebody else in the follows files, and those of F lines.",
            "",
            "The figures:",
            "  posts                       posts published; a second publish of the same post is none",
            "  deliveries                  insertions of a post into an inbox by the fan-out",
            "  pulled posts                those of the posts that were not pushed to all followers",
            "  seconds                     from the first event to the end of the fan-out",
            "  deliveries/s                deliveries by seconds",
            "  publish p50/p99             time per post; with --posts a batch's time by its posts",
            "  read p50/p99                time per page of the final reads",
            "  reads/s                     pages of the final reads by the time they took together",
            "  posts served from inboxes   posts on those pages that the reader's inbox held",
            "  posts served from outboxes  posts on those pages that came from authors' outboxes",
            "  outbox calls                how often those reads asked the outboxes",
            "  heap used                   in the end, after a garbage collection",
            "  digest                      SHA-256 of a line 'reader:id,id,...' per reader, with --digest",
            "  unread digest               SHA-256 of a line 'reader:count' per reader, with --unread --digest"
        })
public final class ReplayCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it, and what is required below
    private CommandSpec spec;

    @Option(
            names = "--follows",
            required = true,
            split = ",",
            paramLabel = "FILE",
            description = "Who follows whom: 'follower followee' a line. Several files are united; self-follows "
                    + "are ignored.")
    @SuppressWarnings("NullAway.Init")
    private List<Path> follows;

    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init")
    private Events events;

    private static final class Events {
        @Option(
                names = "--posts",
                required = true,
                paramLabel = "FILE",
                description = "Posts: 'epochSeconds author' a line. A post's id is the number of its line, from 0.")
        private @Nullable Path posts;

        @Option(
                names = "--ops",
                required = true,
                paramLabel = "FILE",
                description = "Operations: 'epochMillis P author id' (publish), 'epochMillis D author id' (delete), "
                        + "'epochMillis F reader author' (follow), 'epochMillis U reader author' (unfollow), "
                        + "'epochMillis R reader' (read the first page).")
        private @Nullable Path ops;
    }

    @Option(
            names = "--policy",
            required = true,
            converter = PolicyConverter.class,
            paramLabel = "POLICY",
            description = "How posts reach their readers: push, pull, hybrid:N (pull for authors with N followers or "
                    + "more), active:N (as hybrid, and push to readers seen lately), online (push only to readers who "
                    + "have read within three hours) or online:N (as online, and pull for authors with N followers or "
                    + "more).")
    @SuppressWarnings("NullAway.Init")
    private FanoutPolicy policy;

    @Option(
            names = "--store",
            defaultValue = "memory",
            paramLabel = "STORE",
            description = "Where feeds are kept: memory (default); the JDBC URL of an H2, PostgreSQL, MySQL or MariaDB "
                    + "database; "
                    + "redis://HOST:PORT (redis-sentinel:// and redis-cluster://, too); or both, as in "
                    + "redis://HOST:PORT+jdbc:..., for inboxes in Redis and everything else in the database. "
                    + "The run makes tables and keys of its own and drops them in the end.")
    @SuppressWarnings("NullAway.Init")
    private String store;

    @Option(
            names = "--queue",
            defaultValue = FanoutQueues.NONE,
            paramLabel = "QUEUE",
            description = "How tasks reach the fan-out workers: none (default): they claim them from the store; "
                    + "memory; amqp://USER:PASSWORD@HOST:PORT, a RabbitMQ broker; or kafka://HOST:PORT. On a "
                    + "broker the run makes queues of its own, and deletes them in the end.")
    @SuppressWarnings("NullAway.Init")
    private String queue;

    @Option(
            names = "--cap",
            defaultValue = "" + FeedEngineBuilder.DEFAULT_CAP,
            paramLabel = "N",
            description = "Entries of an inbox (default: ${DEFAULT-VALUE}).")
    private int cap;

    @Option(
            names = "--page",
            defaultValue = "" + ReplayOptions.DEFAULT_PAGE,
            paramLabel = "N",
            description = "Posts of a page (default: ${DEFAULT-VALUE}).")
    private int page;

    @Option(
            names = "--live-window",
            defaultValue = "7d",
            converter = DurationConverter.class,
            paramLabel = "TIME",
            description = "How long an inbox stays live after a read, such as 7d, 3h, 90m or 45s (default: "
                    + "${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private Duration liveWindow;

    @Option(
            names = "--threads",
            defaultValue = "2",
            paramLabel = "N",
            description = "Fan-out workers, and final readers (default: ${DEFAULT-VALUE}).")
    private int threads;

    @ArgGroup
    private @Nullable FinalRead finalRead;

    private static final class FinalRead {
        @Option(
                names = "--newest",
                required = true,
                paramLabel = "N",
                description = "In the end every reader reads the newest N posts (default: "
                        + ReplayOptions.DEFAULT_NEWEST + ").")
        private @Nullable Integer newest;

        @Option(
                names = "--walk",
                required = true,
                description = "In the end every reader reads the whole feed, page by page.")
        private boolean walk;
    }

    @Option(names = "--digest", description = "Also print a digest of all that was read in the end.")
    private boolean digest;

    @Option(
            names = "--unread",
            description = "In the end mark a part of each feed as seen, and count what is unread of all; with "
                    + "--digest also print a digest of the counts.")
    private boolean unread;

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        try (Replay replay = prepare(err)) {
            replay.run().print(spec.commandLine().getOut());
            return ExitCode.OK;
        } catch (InputException e) {
            err.println(e.getMessage());
            err.flush();
            return ExitCode.USAGE;
        }
    }

    private Replay prepare(PrintWriter err) {
        try {
            return new Replay(options(), new Progress(err));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private ReplayOptions options() {
        boolean together = events.posts != null;
        return new ReplayOptions(
                follows,
                events.posts != null ? new PostsFile(events.posts) : new OpsFile(requireNonNull(events.ops)),
                together ? ReplayOptions.POSTS_PER_BATCH : 1,
                policy,
                store,
                queue,
                cap,
                page,
                liveWindow,
                threads,
                newest(),
                digest,
                unread);
    }

    private int newest() {
        FinalRead chosen = finalRead;
        if (chosen == null) {
            return ReplayOptions.DEFAULT_NEWEST;
        }
        if (chosen.walk) {
            return ReplayOptions.ALL;
        }
        int newest = requireNonNull(chosen.newest);
        if (newest < 1) {
            throw new IllegalArgumentException("newest must be at least 1, but is " + newest);
        }
        return newest;
    }
}
