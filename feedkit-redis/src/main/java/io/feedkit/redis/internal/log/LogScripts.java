package io.feedkit.redis.internal.log;

import io.feedkit.redis.internal.call.Script;
import java.util.List;

/** The scripts of the log. */
final class LogScripts {

    private static final String HEADER = "log/header";
    private static final String COMMON = "log/common";
    private static final String TASKS = "log/tasks";
    private static final String LEASES = "log/leases";
    private static final String OPEN = "log/open";

    static final Script<List<Object>> PEEK = Script.list(HEADER, "log/peek");
    static final Script<List<Object>> CLAIM = Script.list(HEADER, COMMON, TASKS, "log/claim");
    static final Script<List<Object>> TAKE = Script.list(HEADER, COMMON, TASKS, LEASES, "log/take");
    static final Script<byte[]> RETURN_LOANS = Script.bytes(HEADER, COMMON, TASKS, LEASES, "log/return-loans");
    static final Script<byte[]> CHECKPOINT = Script.bytes(HEADER, COMMON, TASKS, LEASES, "log/checkpoint");
    static final Script<byte[]> RELEASE = Script.bytes(HEADER, COMMON, TASKS, LEASES, "log/release");
    static final Script<byte[]> FAIL = Script.bytes(HEADER, COMMON, TASKS, LEASES, "log/fail");
    static final Script<byte[]> POSTPONE = Script.bytes(HEADER, COMMON, TASKS, LEASES, "log/postpone");
    static final Script<byte[]> FINISH = Script.bytes(HEADER, COMMON, TASKS, LEASES, "log/finish");
    static final Script<List<Object>> HASTEN = Script.list(HEADER, COMMON, TASKS, "log/hasten");
    static final Script<Long> MOVE_TO_DEAD_LETTERS =
            Script.number(HEADER, COMMON, TASKS, LEASES, "log/move-to-dead-letters");
    static final Script<Long> SPLIT = Script.number(HEADER, COMMON, TASKS, LEASES, "log/split");
    static final Script<Long> RETRACT_LATER = Script.number(HEADER, COMMON, TASKS, LEASES, "log/retract-later");
    static final Script<Long> CATCH_UP = Script.number(HEADER, COMMON, TASKS, "log/catch-up");
    static final Script<Long> REPLAY = Script.number(HEADER, COMMON, TASKS, "log/replay");
    static final Script<Long> DISCARD = Script.number(HEADER, COMMON, "log/discard");
    static final Script<List<Object>> RESTART = Script.list(HEADER, COMMON, TASKS, LEASES, "log/restart");
    static final Script<byte[]> KINDS = Script.bytes(HEADER, COMMON, TASKS, "log/kinds");
    static final Script<List<Object>> FIND = Script.list(HEADER, COMMON, TASKS, "log/find");
    static final Script<List<Object>> QUEUE_STATUS = Script.list(HEADER, COMMON, "log/queue-status");
    static final Script<Long> INVISIBLE = Script.number(HEADER, COMMON, OPEN, "log/invisible");
    static final Script<Long> MARK = Script.number(HEADER, COMMON, OPEN, "log/mark");

    private LogScripts() {}
}
