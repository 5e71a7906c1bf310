package io.feedkit.redis.internal.outbox;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Postponement;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.lettuce.core.ScoredValue;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Other versions and people read these bytes. The numbers are those of the documentation. */
@DisplayName("The truth is stored as it is documented:")
class OutboxFormatTest {

    /** End and token of a lease, 14 bytes. */
    private static final int LEASE_DIGITS = 28;

    private static final String AUTHOR = "1029384756";
    private static final String ID = "1234567890123456789";
    private static final long TIME = 1_760_000_000_000L;
    private static final long LEASE = 60_000;
    private static final String NOW = "0199c82cc000";
    private static final String NO_OUTAGE = "0000000000000000";
    private static final String IN_A_MINUTE = "0199c82daa60";
    private static final String POSITION = NOW + "3456789ab23456789ab0" + "324b5a6978";

    /** No cursor, no group, all followers, the position. */
    private static final String REST = "00" + "00" + "00" + "017f" + POSITION;

    private final TestOutbox truth = new TestOutbox();
    private final FanoutLog log = truth.outbox().fanout();
    private final int partition = TestOutbox.partition(AUTHOR);

    @BeforeEach
    void publish() {
        truth.clock().set(Instant.ofEpochMilli(TIME));
        truth.publish(List.of(Post.of(AUTHOR, ID, TIME)));
    }

    @AfterEach
    void close() {
        truth.close();
    }

    private Claim claim() {
        return log.claim(1, LEASE).get(0);
    }

    private LentTask lend() {
        return log.lend(1, LEASE, 1).get(0);
    }

    private byte[] key(String kind) {
        return truth.ofPartition(kind, partition).getBytes(US_ASCII);
    }

    private byte[] authorsKey(String kind) {
        return truth.ofAuthor(kind, AUTHOR).getBytes(US_ASCII);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static String hex(String text) {
        return hex(text.getBytes(US_ASCII));
    }

    private static String hex(long number) {
        return HexFormat.of().toHexDigits(number);
    }

    private List<String> members(String kind) {
        return TestOutbox.bytes().zrange(key(kind), 0, -1).stream()
                .map(OutboxFormatTest::hex)
                .toList();
    }

    private List<String> elements(String kind) {
        return TestOutbox.bytes().lrange(key(kind), 0, -1).stream()
                .map(OutboxFormatTest::hex)
                .toList();
    }

    private List<String> records() {
        return TestOutbox.bytes().hvals(key("tasks")).stream()
                .map(OutboxFormatTest::hex)
                .toList();
    }

    private String record(Claim claim) {
        return hex(TestOutbox.bytes().hget(key("tasks"), claim.task().id().getBytes(US_ASCII)));
    }

    @Test
    @DisplayName("posts, tombstones, last append")
    void posts() {
        assertThat(TestOutbox.commands().zrangeWithScores(truth.ofAuthor("posts", AUTHOR), 0, -1))
                .containsExactly(ScoredValue.just(TIME, ID));
        assertThat(TestOutbox.commands().get(truth.ofAuthor("last", AUTHOR))).isEqualTo("1760000000000");
        truth.outbox().delete(List.of(new PostKey(AUTHOR, ID), new PostKey(AUTHOR, "unseen")));
        assertThat(TestOutbox.commands().zrangeWithScores(truth.ofAuthor("posts", AUTHOR), 0, -1))
                .containsExactly(ScoredValue.just(-1, ID), ScoredValue.just(-1, "unseen"));
    }

    @Test
    @DisplayName("head")
    void head() {
        truth.outbox().pulled().put(List.of(Post.of(AUTHOR, ID, TIME)));
        RegisterSnapshot.of(truth.outbox().pulled());
        truth.outbox().newest(List.of(AUTHOR), PositionRange.ALL, RecentPosts.POSTS);
        assertThat(hex(TestOutbox.bytes().get(authorsKey("head")))).isEqualTo("0301" + NOW + "93" + ID + "f");
    }

    @Test
    @DisplayName("header and fresh task")
    void fresh() {
        String element = elements("fresh").get(0);
        String turn = element.substring(12, 28);
        String id = HexFormat.of().toHexDigits(partition, 1) + turn.substring(3);
        assertThat(element).isEqualTo(NOW + turn + hex(id) + "01" + hex("P") + NOW + REST);
        assertThat(hex(TestOutbox.bytes().get(key("log")))).isEqualTo("01" + NOW + turn);
        assertThat(claim().task().id()).isEqualTo(id);
    }

    @Test
    @DisplayName("claimed task")
    void claimed() {
        Claim claim = claim();
        String id = hex(claim.task().id());
        String lease = IN_A_MINUTE + hex(claim.lease());
        assertThat(record(claim)).isEqualTo(lease + "0000" + NO_OUTAGE + "01" + hex("P") + NOW + REST);
        assertThat(members("queue")).containsExactly(lease + id);
        assertThat(members("open")).containsExactly(hex("0") + NOW + id);
        log.checkpoint(List.of(new Progress(claim, "ann")), LEASE);
        assertThat(record(claim)).contains(NOW + "03" + hex("ann") + REST.substring(2));
    }

    @Test
    @DisplayName("lent task, until its loan is taken, is returned, or runs out")
    void lent() {
        LentTask lent = lend();
        String id = hex(lent.task().id());
        String loan = IN_A_MINUTE + hex(lent.loan().token());
        assertThat(lent.loan().token()).isOdd();
        assertThat(records()).containsExactly(loan + "0000" + NO_OUTAGE + "01" + hex("P") + NOW + REST);
        assertThat(members("queue")).containsExactly(loan + id);
        assertThat(members("lent")).containsExactly(loan + id);
        Claim claim = log.take(List.of(lent.loan()), LEASE).get(0).orElseThrow();
        assertThat(claim.lease()).isEven();
        String lease = IN_A_MINUTE + hex(claim.lease());
        assertThat(record(claim)).isEqualTo(lease + "0000" + NO_OUTAGE + "01" + hex("P") + NOW + REST);
        assertThat(members("queue")).containsExactly(lease + id);
        assertThat(members("lent")).isEmpty();
    }

    @Test
    @DisplayName("only running loans stay among the lent tasks once somebody has claimed, lent or returned the task")
    void notLent() {
        log.returnLoans(List.of(lend().loan()));
        assertThat(members("lent")).isEmpty();
        lend();
        truth.clock().advance(Duration.ofMillis(LEASE));
        LentTask again = lend();
        assertThat(members("lent"))
                .singleElement()
                .asString()
                .contains(hex(again.loan().token()));
        truth.clock().advance(Duration.ofMillis(LEASE));
        claim();
        assertThat(members("lent")).isEmpty();
    }

    @Test
    @DisplayName("finished task, and one that was restarted")
    void done() {
        Claim claim = claim();
        log.finish(List.of(claim), LEASE);
        assertThat(elements("done"))
                .containsExactly(NOW + IN_A_MINUTE + hex(claim.task().id()) + "01" + hex("P") + NOW + REST);
        assertThat(TestOutbox.bytes().exists(key("tasks"), key("queue"), key("open")))
                .isZero();
        log.restart(0, 0);
        assertThat(elements("done")).containsExactly("");
        assertThat(members("open"))
                .containsExactly(hex("1") + NOW + hex(claim.task().id()));
        assertThat(record(claim)).endsWith("01" + hex("p") + NOW + REST);
    }

    @Test
    @DisplayName("task that was put off, until it is claimed again")
    void held() {
        Claim claim = claim();
        log.fail(List.of(new Failure(claim, "failed", LEASE)));
        assertThat(members("held"))
                .isEqualTo(members("queue"))
                .singleElement()
                .asString()
                .startsWith(IN_A_MINUTE);
        log.hasten(1);
        assertThat(members("held")).isEmpty();
    }

    @Test
    @DisplayName("task that met a store which could not be reached: how often, and since when")
    void postponed() {
        log.postpone(List.of(new Postponement(claim(), 0)));
        Claim again = log.claim(1, LEASE).get(0);
        assertThat(record(again).substring(LEASE_DIGITS)).startsWith("0000" + "0001" + NOW + "01" + hex("P"));
    }

    @Test
    @DisplayName("dead task")
    void dead() {
        Claim claim = claim();
        String record = record(claim);
        log.moveToDeadLetters(claim, 3, "poison");
        String dead = record.substring(0, LEASE_DIGITS) + "0003" + record.substring(LEASE_DIGITS + 4);
        assertThat(members("dead")).containsExactly(hex(claim.task().id()) + NOW + "0006" + hex("poison") + dead);
    }

    @Test
    @DisplayName("register, retraction, catch-up")
    void register() {
        truth.outbox().pulled().put(List.of(Post.of(AUTHOR, ID, TIME)));
        Entry entry = RegisterSnapshot.of(truth.outbox().pulled())
                .pulled()
                .values()
                .iterator()
                .next();
        assertThat(hex(TestOutbox.bytes().hget(key("pulled"), AUTHOR.getBytes(US_ASCII))))
                .isEqualTo("01" + hex(entry.version()) + "15" + POSITION + POSITION);
        String stored = "01" + hex(entry.version()) + "15" + POSITION + POSITION;
        assertThat(elements("register"))
                .containsExactly(
                        hex(entry.version()) + hex("P") + "%02x".formatted(AUTHOR.length()) + hex(AUTHOR) + stored);
        log.catchUp(AUTHOR, entry);
        byte[] group = HexFormat.of().parseHex(hex(entry.version()) + hex(AUTHOR));
        assertThat(TestOutbox.bytes().hget(key("catchups"), group)).isEqualTo("1".getBytes(US_ASCII));
        assertThat(records())
                .singleElement()
                .asString()
                .endsWith(
                        "01" + hex("C") + NOW + "00" + "12" + hex(group) + "00" + "017f" + "15" + POSITION + POSITION);
        truth.outbox().delete(List.of(new PostKey(AUTHOR, ID)));
        assertThat(TestOutbox.commands().zrange(truth.ofPartition("retracting", partition), 0, -1))
                .containsExactly(AUTHOR + " " + ID);
        assertThat(elements("register").get(1)).endsWith(hex("D" + AUTHOR + " " + ID));
        truth.outbox().pulled().retracted(List.of(new PostKey(AUTHOR, ID)));
        assertThat(elements("register").get(2)).endsWith(hex("E" + AUTHOR + " " + ID));
        truth.outbox().pulled().remove(AUTHOR, entry.version());
        assertThat(elements("register").get(3)).endsWith(hex("L" + AUTHOR));
    }
}
