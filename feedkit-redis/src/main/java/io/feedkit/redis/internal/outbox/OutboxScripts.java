package io.feedkit.redis.internal.outbox;

import io.feedkit.redis.internal.call.Script;
import java.util.List;

/** The scripts of the outbox and of the pulled register. */
final class OutboxScripts {

    private static final String HEADER = "log/header";
    private static final String LOG = "log/common";
    private static final String FRESH = "log/fresh";
    private static final String TASKS = "log/tasks";
    private static final String PACKED = "outbox/recent-posts-format";
    private static final String CHANGES = "register/log";

    static final Script<List<Object>> APPEND = recording("outbox/append");
    static final Script<List<Object>> IMPORT = recording("outbox/import");
    static final Script<byte[]> DELETE = Script.bytes(HEADER, LOG, TASKS, CHANGES, "outbox/delete");
    static final Script<List<Object>> RECENT_POSTS = Script.list(PACKED, "outbox/recent-posts");

    static final Script<Long> PUT = Script.number(CHANGES, "register/put");
    static final Script<Long> REMOVE = Script.number(CHANGES, "register/remove");
    static final Script<Long> RETRACTED = Script.number(CHANGES, "register/retracted");
    static final Script<List<Object>> UPDATE = Script.list(CHANGES, "register/update");
    static final Script<List<Object>> PAGE = Script.list("register/page");

    private OutboxScripts() {}

    private static Script<List<Object>> recording(String script) {
        return Script.list(HEADER, LOG, FRESH, TASKS, PACKED, "outbox/recent-posts-update", "outbox/followers", script);
    }
}
