package io.feedkit.tools.replay;

import static java.util.Objects.requireNonNull;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.tools.input.DurationConverter;
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

/** The command {@code replay}. */
@Command(
        name = "replay",
        sortOptions = false,
        usageHelpWidth = 100,
        headerHeading =
                "Example: feedkit-tools replay --follows follows.txt --posts posts.txt --policy hybrid:1000%n%n",
        description = "Replays recorded posts through an engine, reads every reader's feed, and prints the figures.",
        customSynopsis = {
            "feedkit-tools replay --follows FILE[,FILE...] (--posts FILE | --ops FILE)",
            "       --policy push|pull|hybrid:N|active:N|online[:N] [--store STORE]",
            "       [--archive ARCHIVE] [--archive-after 30d] [--copies COPIES]",
            "       [--queue QUEUE] [--cap N] [--page N] [--live-window 7d] [--threads N]",
            "       [--newest 50 | --walk] [--digest] [--unread]"
        },
        footer = {
            "",
            "Files are plain text or gzip: one record per line, fields separated by single spaces. Ids are",
            "decimal integers without a sign. If a line is malformed, the run ends with exit code 2 before the",
            "first event.",
            "",
            "Readers are the users who follow somebody else in the follows files, and the readers of F lines.",
            "Every reader reads once before the first event.",
            "",
            "The clock follows the events, and never goes back. On Redis, live windows and other times follow",
            "the server's clock instead.",
            "",
            "Figures:",
            "  posts                       published posts; publishing the same post again does not count",
            "  deliveries                  insertions of posts into inboxes by the fan-out",
            "  pulled posts                published posts that were not pushed to all followers",
            "  seconds                     from the first event to the end of the fan-out",
            "  deliveries/s                deliveries divided by seconds",
            "  publish p50/p99             time per post; with --posts, time per batch divided by its posts",
            "  read p50/p99                time per page of the final reads",
            "  reads/s                     pages per second of the final reads",
            "  posts served from inboxes   posts of those pages that came from inboxes",
            "  posts served from outboxes  posts of those pages that came from outboxes of authors",
            "  outbox calls                calls to the outboxes by the final reads",
            "  archived posts              with --archive: posts that were moved to the archive",
            "  inboxes filled from copies  with --copies: inboxes that were built from a copy",
            "  heap used                   at the end, after a garbage collection",
            "  digest                      with --digest: SHA-256 of a line 'reader:id,id,...' per reader",
            "  unread digest               with --unread --digest: SHA-256 of 'reader:count' lines"
        })
public final class ReplayCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it and the required options below
    private CommandSpec spec;

    @Option(
            names = "--follows",
            required = true,
            split = ",",
            paramLabel = "FILE",
            description = "Who follows whom: one 'follower followee' per line. Several files are merged; self-follows "
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
                description =
                        "Posts: one 'epochSeconds author' per line. The id of a post is its line number, starting "
                                + "at 0.")
        private @Nullable Path posts;

        @Option(
                names = "--ops",
                required = true,
                paramLabel = "FILE",
                description =
                        "Operations, one per line: 'epochMillis P author id' (publish), 'epochMillis D author id' "
                                + "(delete), 'epochMillis F reader author' (follow), 'epochMillis U reader author' "
                                + "(unfollow), "
                                + "'epochMillis R reader' (read the first page).")
        private @Nullable Path ops;
    }

    @Option(
            names = "--policy",
            required = true,
            converter = PolicyConverter.class,
            paramLabel = "POLICY",
            description = "How posts reach their readers: push, pull, hybrid:N (pull for authors with N followers or "
                    + "more), active:N (like hybrid:N, but also push to followers who read recently), online (push only to "
                    + "readers who have read within three hours) or online:N (like online, and pull for authors with N "
                    + "followers or more).")
    @SuppressWarnings("NullAway.Init")
    private FanoutPolicy policy;

    @Option(
            names = "--store",
            defaultValue = "memory",
            paramLabel = "STORE",
            description = "Where feeds are stored: memory (default); the JDBC URL of a database (H2, PostgreSQL or "
                    + "MariaDB; MySQL with its driver on the class path); redis://HOST:PORT (also "
                    + "redis-sentinel:// and redis-cluster://); or both, such as redis://HOST:PORT+jdbc:..., with "
                    + "inboxes in Redis and everything else in the database. The run creates its own tables and "
                    + "keys, and deletes them at the end.")
    @SuppressWarnings("NullAway.Init")
    private String store;

    @Option(
            names = "--archive",
            defaultValue = Archives.NONE,
            paramLabel = "ARCHIVE",
            description = "Where old posts move during the run: none (default), memory, or the JDBC URL of a database, "
                    + "which may be that of the store. The run creates its own tables, and deletes them at the end.")
    @SuppressWarnings("NullAway.Init")
    private String archive;

    @Option(
            names = "--archive-after",
            defaultValue = "30d",
            converter = DurationConverter.class,
            paramLabel = "TIME",
            description = "With --archive: the age at which posts move, at least 1d (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private Duration archiveAfter;

    @Option(
            names = "--copies",
            defaultValue = Copies.NONE,
            paramLabel = "COPIES",
            description = "Where inboxes are copied for readers who come back: none (default), memory, or "
                    + "cassandra://HOST:PORT/DATACENTER. After half of the events, all inboxes are copied and dropped. "
                    + "In Cassandra, the run creates its own keyspace, and deletes it at the end.")
    @SuppressWarnings("NullAway.Init")
    private String copies;

    @Option(
            names = "--queue",
            defaultValue = FanoutQueues.NONE,
            paramLabel = "QUEUE",
            description = "How tasks reach the fan-out workers: none (default; workers claim them from the store), "
                    + "memory, amqp://USER:PASSWORD@HOST:PORT (RabbitMQ) or kafka://HOST:PORT. On a broker, the run "
                    + "creates its own queues, and deletes them at the end.")
    @SuppressWarnings("NullAway.Init")
    private String queue;

    @Option(
            names = "--cap",
            defaultValue = "" + FeedEngineBuilder.DEFAULT_CAP,
            paramLabel = "N",
            description = "Largest number of entries in an inbox (default: ${DEFAULT-VALUE}).")
    private int cap;

    @Option(
            names = "--page",
            defaultValue = "" + ReplayOptions.DEFAULT_PAGE,
            paramLabel = "N",
            description = "Posts per page (default: ${DEFAULT-VALUE}).")
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
            description = "Fan-out workers, and threads of the final reads (default: ${DEFAULT-VALUE}).")
    private int threads;

    @ArgGroup
    private @Nullable FinalRead finalRead;

    private static final class FinalRead {
        @Option(
                names = "--newest",
                required = true,
                paramLabel = "N",
                description = "At the end, every reader reads the newest N posts (default: "
                        + ReplayOptions.DEFAULT_NEWEST + ").")
        private @Nullable Integer newest;

        @Option(
                names = "--walk",
                required = true,
                description = "At the end, every reader reads the whole feed, page by page.")
        private boolean walk;
    }

    @Option(names = "--digest", description = "Also print a digest of all feeds read at the end.")
    private boolean digest;

    @Option(
            names = "--unread",
            description = "At the end, mark a part of each feed as seen, and count the unread posts of all readers. "
                    + "With --digest, also print a digest of the counts.")
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
                archive,
                archiveAfter,
                copies,
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
