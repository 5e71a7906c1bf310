package io.feedkit.redis.internal.writebehind;

import io.feedkit.redis.internal.call.Script;
import java.util.List;

/** The scripts of the change cache. Each answers with a list of one entry for each step. */
final class LateScripts {

    private static final String COMMON = "writebehind/common";

    static final Script<List<Object>> ADD = Script.list(COMMON, "writebehind/add");
    static final Script<List<Object>> SWAP = Script.list(COMMON, "writebehind/swap");
    static final Script<List<Object>> CLAIM = Script.list(COMMON, "writebehind/claim");
    static final Script<List<Object>> WRITTEN = Script.list("writebehind/written");
    static final Script<List<Object>> DROP = Script.list("writebehind/drop");
    static final Script<List<Object>> RELEASE = Script.list(COMMON, "writebehind/release");
    static final Script<List<Object>> FORGET = Script.list("writebehind/forget");
    static final Script<List<Object>> LIST = Script.list("writebehind/list");

    private LateScripts() {}
}
