package io.feedkit.redis.internal.counter;

import io.feedkit.redis.internal.call.Script;
import java.util.List;

/** The scripts of the counters. Each answers with a list of one entry for each step. */
final class CounterScripts {

    private static final String COMMON = "counter/common";
    private static final String MEMBERS = "counter/members";

    private static final String GAPS = "counter/gaps";
    private static final String WATCHES = "counter/watches";

    static final Script<List<Object>> ADD = Script.list(COMMON, GAPS, "counter/add");
    static final Script<List<Object>> RETRACT = Script.list(COMMON, GAPS, "counter/retract");
    static final Script<List<Object>> RAISE = Script.list(COMMON, GAPS, "counter/raise");
    static final Script<List<Object>> REMOVE_CELLS = Script.list(COMMON, GAPS, "counter/remove-cells");
    static final Script<List<Object>> PUT = Script.list(COMMON, MEMBERS, "counter/put");
    static final Script<List<Object>> TURN = Script.list(COMMON, MEMBERS, "counter/turn");
    static final Script<List<Object>> SETTLE = Script.list(COMMON, MEMBERS, "counter/settle");
    static final Script<List<Object>> REMOVE = Script.list(COMMON, MEMBERS, "counter/remove");
    static final Script<List<Object>> RELABEL = Script.list(COMMON, MEMBERS, "counter/relabel");
    static final Script<List<Object>> OPEN = Script.list(COMMON, "counter/open");
    static final Script<List<Object>> REDEEM = Script.list(COMMON, WATCHES, "counter/redeem");
    static final Script<List<Object>> STANDING = Script.list(COMMON, MEMBERS, "counter/standing");
    static final Script<List<Object>> PAGE = Script.list(COMMON, MEMBERS, "counter/page");
    static final Script<List<Object>> TICKETS = Script.list(COMMON, "counter/tickets");
    static final Script<List<Object>> WATCH = Script.list(COMMON, WATCHES, "counter/watch");
    static final Script<List<Object>> WATCHED = Script.list(COMMON, WATCHES, "counter/watched");
    static final Script<List<Object>> UNWATCH = Script.list(COMMON, WATCHES, "counter/unwatch");
    static final Script<List<Object>> REPAIR = Script.list(COMMON, WATCHES, "counter/repair");
    static final Script<List<Object>> NEWEST = Script.list("counter/newest");

    private CounterScripts() {}
}
