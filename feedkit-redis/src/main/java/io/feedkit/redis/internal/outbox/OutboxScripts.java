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

    static final Script<List<Object>> APPEND =
            Script.list(HEADER, LOG, FRESH, TASKS, PACKED, "outbox/recent-posts-update", "outbox/append");
    static final Script<byte[]> DELETE = Script.bytes(HEADER, LOG, TASKS, "outbox/delete");
    static final Script<List<Object>> RECENT_POSTS = Script.list(PACKED, "outbox/recent-posts");

    static final Script<Long> PUT = Script.number("register/put");
    static final Script<Long> REMOVE = Script.number("register/remove");
    static final Script<Long> RETRACTED = Script.number("register/retracted");
    static final Script<List<Object>> PAGE = Script.list("register/page");

    private OutboxScripts() {}
}
