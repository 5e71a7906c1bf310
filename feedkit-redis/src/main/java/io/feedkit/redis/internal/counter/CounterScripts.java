package io.feedkit.redis.internal.counter;

import io.feedkit.redis.internal.call.Script;
import java.util.List;

/** The scripts of the counters. Each answers with a list of one entry for each step. */
final class CounterScripts {

    private static final String COMMON = "counter/common";
    private static final String MEMBERS = "counter/members";

    static final Script<List<Object>> ADD = Script.list(COMMON, "counter/add");
    static final Script<List<Object>> RAISE = Script.list(COMMON, "counter/raise");
    static final Script<List<Object>> PUT = Script.list(COMMON, MEMBERS, "counter/put");
    static final Script<List<Object>> TURN = Script.list(COMMON, MEMBERS, "counter/turn");
    static final Script<List<Object>> SETTLE = Script.list(COMMON, MEMBERS, "counter/settle");
    static final Script<List<Object>> REMOVE = Script.list(COMMON, MEMBERS, "counter/remove");
    static final Script<List<Object>> RELABEL = Script.list(COMMON, MEMBERS, "counter/relabel");
    static final Script<List<Object>> OPEN = Script.list(COMMON, "counter/open");
    static final Script<List<Object>> REDEEM = Script.list(COMMON, "counter/redeem");
    static final Script<List<Object>> STANDING = Script.list(COMMON, MEMBERS, "counter/standing");

    private CounterScripts() {}
}
