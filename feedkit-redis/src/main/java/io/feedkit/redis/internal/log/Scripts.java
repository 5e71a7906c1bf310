package io.feedkit.redis.internal.log;

import io.feedkit.redis.internal.link.Script;
import java.util.List;

/** The steps of the log. */
final class Scripts {

    private static final String COMMON = "log/common";
    private static final String LEASES = "log/leases";

    static final Script<List<Object>> PEEK = Script.list(COMMON, "log/peek");
    static final Script<List<Object>> CLAIM = Script.list(COMMON, LEASES, "log/claim");
    static final Script<byte[]> CHECKPOINT = Script.bytes(COMMON, LEASES, "log/checkpoint");
    static final Script<byte[]> RELEASE = Script.bytes(COMMON, LEASES, "log/release");
    static final Script<byte[]> FAIL = Script.bytes(COMMON, LEASES, "log/fail");
    static final Script<byte[]> FINISH = Script.bytes(COMMON, LEASES, "log/finish");
    static final Script<Long> BURY = Script.number(COMMON, LEASES, "log/bury");
    static final Script<Long> SPLIT = Script.number(COMMON, LEASES, "log/split");
    static final Script<Long> RETRACT_AGAIN = Script.number(COMMON, LEASES, "log/retract-again");
    static final Script<Long> CATCH_UP = Script.number(COMMON, "log/catch-up");
    static final Script<Long> REPLAY = Script.number(COMMON, LEASES, "log/replay");
    static final Script<List<Object>> REOPEN = Script.list(COMMON, "log/reopen");
    static final Script<List<Object>> DEPTH = Script.list(COMMON, "log/depth");
    static final Script<Long> MARK = Script.number(COMMON, "log/mark");

    private Scripts() {}
}
