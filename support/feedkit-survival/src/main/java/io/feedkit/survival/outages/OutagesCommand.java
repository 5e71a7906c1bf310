package io.feedkit.survival.outages;

import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.health.Health;
import io.feedkit.inspect.Explanation;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Removal;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testservers.ChildProcess;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows what operators see when parts of the production shape fail. */
@Command(
        name = "outages",
        mixinStandardHelpOptions = true,
        description = "Runs posts in PostgreSQL, inboxes in Redis and an archive, breaks Redis and the mover in turn "
                + "while a reader scrolls, and prints what explain and verify say.")
public final class OutagesCommand implements Callable<Integer> {

    private static final String READER = "ann";
    private static final int AUTHORS = 20;
    private static final int CAP = 500;
    private static final Duration FED = Duration.ofDays(3);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final VerifyRequest ALL =
            VerifyRequest.everything().perSecond(1_000_000).recheckAfter(Duration.ofSeconds(2));

    @Option(
            names = "--posts",
            defaultValue = "600",
            description = "How many posts of three days there are at the beginning (default: ${DEFAULT-VALUE}).")
    private int posts;

    @Option(
            names = "--seconds",
            defaultValue = "3",
            description = "How long the reader scrolls in each part (default: ${DEFAULT-VALUE}).")
    private int seconds;

    private final Random random = new Random(1);
    private int published;

    /** For the command line. */
    public OutagesCommand() {}

    @Override
    public Integer call() throws Exception {
        try (PostgresServer postgres = PostgresServer.start(Durability.DURABLE);
                RedisServer redis = RedisServer.start(Durability.DURABLE)) {
            String[] addresses = {postgres.createDatabase(), redis.uri(), postgres.createDatabase()};
            try (ProductionShape shape = new ProductionShape(addresses, "web", 0, UnaryOperator.identity());
                    ScrollingReader reader = new ScrollingReader(shape.feed(), READER)) {
                fill(shape.feed(), reader);
                print("What is where");
                shape.store().describe().forEach(place -> line(place.toString()));
                shape.archive().describe().forEach(place -> line(place.toString()));
                breakMover(addresses, shape, reader);
                losePost(shape, reader);
                emptyRedis(redis, shape.feed(), reader);
                stopRedis(redis, shape.feed(), reader);
                waitForPush(shape.feed(), reader);
                print("At the end");
                shape.feed().fanout().drain();
                verify(shape.feed());
                boolean isClean = shape.feed().verify(ALL).isClean();
                line(isClean ? "verify finds nothing any more" : "verify still finds something");
                return isClean && reader.isAlwaysRight() ? 0 : 1;
            }
        }
    }

    private static void print(String title) {
        System.out.println("\n" + title);
    }

    private static void line(String text) {
        System.out.println("  " + text);
    }

    private void fill(FeedEngine feed, ScrollingReader reader) {
        List<String> authors = new ArrayList<>();
        for (int i = 0; i < AUTHORS; i++) {
            authors.add("author" + i);
        }
        feed.followAll(READER, authors);
        feed.read(READER, PageRequest.first(1));
        List<Post> imported = new ArrayList<>();
        for (int i = 0; i < posts; i++) {
            long age = 1 + (long) (random.nextDouble() * FED.toMillis());
            imported.add(post(System.currentTimeMillis() - age));
        }
        feed.importPosts(imported);
        imported.forEach(reader::expect);
        feed.fanout().drain();
        reader.start();
    }

    private Post post(long millis) {
        return Post.of("author" + random.nextInt(AUTHORS), "post" + published++, millis);
    }

    private Post publish(FeedEngine feed, ScrollingReader reader) {
        Post post = post(System.currentTimeMillis());
        reader.expect(post);
        feed.publish(post);
        return post;
    }

    private void scroll(ScrollingReader reader) throws InterruptedException {
        TimeUnit.SECONDS.sleep(seconds);
        line("reader: " + reader.report());
    }

    /** The mover dies after it has copied a batch. Another one finishes its work, unless verify comes first. */
    private void breakMover(String[] addresses, ProductionShape shape, ScrollingReader reader) throws Exception {
        print("The mover is killed after it has copied a batch to the archive");
        try (ChildProcess mover = ChildProcess.start(MoverProcess.class, List.of(addresses))) {
            mover.awaitLine(MoverProcess.COPIED, LIMIT);
            mover.kill9();
        }
        line("in the archive: " + shape.archive().size() + " posts, whose rows are still in the outbox");
        scroll(reader);
        verify(shape.feed());
        print("Another mover continues");
        line("moved: " + shape.feed().archivePosts() + " posts; in the archive: "
                + shape.archive().size());
        scroll(reader);
    }

    private void losePost(ProductionShape shape, ScrollingReader reader) throws InterruptedException {
        print("An inbox loses an entry; nobody knows");
        FeedEngine feed = shape.feed();
        Post lost = publish(feed, reader);
        feed.fanout().drain();
        await().atMost(LIMIT).until(() -> isShown(feed, lost));
        Inbox inbox =
                shape.store().inbox(new InboxLimits(CAP, Duration.ofDays(1).toMillis()));
        reader.holdAfter(lost.publishedAt().toEpochMilli());
        inbox.remove(List.of(new Removal(lost.key(), List.of(READER))));
        explain(feed, lost.key());
        scroll(reader);
        verify(feed);
        explain(feed, lost.key());
        reader.holdAfter(Long.MAX_VALUE);
    }

    private static boolean isShown(FeedEngine feed, Post post) {
        return feed.read(READER, PageRequest.first(1)).items().contains(post);
    }

    private void emptyRedis(RedisServer redis, FeedEngine feed, ScrollingReader reader) throws InterruptedException {
        print("Redis is emptied");
        redis.ask("FLUSHALL");
        scroll(reader);
        verify(feed);
    }

    private void stopRedis(RedisServer redis, FeedEngine feed, ScrollingReader reader) throws Exception {
        print("Redis is down");
        redis.kill();
        Post post = publish(feed, reader);
        explain(feed, post.key());
        line("check: the part INBOX is up: "
                + feed.check(Duration.ofSeconds(1)).part(Health.Part.INBOX).isUp());
        scroll(reader);
        redis.restart();
        await().atMost(LIMIT).ignoreExceptions().until(() -> {
            feed.fanout().drain();
            return feed.explain(READER, post.key()).reason() == Explanation.Reason.IN_INBOX;
        });
        print("Redis is back");
        explain(feed, post.key());
        scroll(reader);
    }

    private void waitForPush(FeedEngine feed, ScrollingReader reader) throws InterruptedException {
        print("No worker runs, and a post waits");
        reader.holdAfter(System.currentTimeMillis());
        Post post = publish(feed, reader);
        explain(feed, post.key());
        scroll(reader);
        print("A worker runs");
        feed.fanout().drain();
        explain(feed, post.key());
        reader.holdAfter(Long.MAX_VALUE);
        scroll(reader);
    }

    private static void explain(FeedEngine feed, PostKey post) {
        line("explain: " + feed.explain(READER, post).sentence());
    }

    private static void verify(FeedEngine feed) {
        VerifyReport report = feed.verify(ALL.repair(true));
        line("verify: found " + report.counts() + ", repaired " + report.repaired());
        report.findings().stream()
                .limit(2)
                .forEach(finding -> line("  " + finding.sentence() + " " + finding.repair()));
    }
}
