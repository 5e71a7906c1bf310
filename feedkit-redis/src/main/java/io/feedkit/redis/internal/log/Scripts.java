package io.feedkit.redis.internal.log;

import io.feedkit.redis.internal.link.Script;
import java.util.List;

/** The steps of the log. */
final class Scripts {

    private static final String COMMON = "log/common";
    private static final String TASKS = "log/tasks";
    private static final String LEASES = "log/leases";
    private static final String OPEN = "log/open";

    static final Script<List<Object>> PEEK = Script.list(COMMON, "log/peek");
    static final Script<List<Object>> CLAIM = Script.list(COMMON, TASKS, "log/claim");
    static final Script<byte[]> CHECKPOINT = Script.bytes(COMMON, TASKS, LEASES, "log/checkpoint");
    static final Script<byte[]> RELEASE = Script.bytes(COMMON, TASKS, LEASES, "log/release");
    static final Script<byte[]> FAIL = Script.bytes(COMMON, TASKS, LEASES, "log/fail");
    static final Script<byte[]> FINISH = Script.bytes(COMMON, TASKS, LEASES, "log/finish");
    static final Script<Long> BURY = Script.number(COMMON, TASKS, LEASES, "log/bury");
    static final Script<Long> SPLIT = Script.number(COMMON, TASKS, LEASES, "log/split");
    static final Script<Long> RETRACT_AGAIN = Script.number(COMMON, TASKS, LEASES, "log/retract-again");
    static final Script<Long> CATCH_UP = Script.number(COMMON, "log/fresh", "log/catch-up");
    static final Script<Long> REPLAY = Script.number(COMMON, TASKS, "log/replay");
    static final Script<List<Object>> REOPEN = Script.list(COMMON, TASKS, "log/reopen");
    static final Script<List<Object>> DEPTH = Script.list(COMMON, OPEN, "log/depth");
    static final Script<Long> MARK = Script.number(COMMON, OPEN, "log/mark");

    private Scripts() {}
}
