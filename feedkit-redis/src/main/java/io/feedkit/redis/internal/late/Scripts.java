package io.feedkit.redis.internal.late;

import io.feedkit.redis.internal.link.Script;
import java.util.List;

/** The steps of late changes. Each answers a list with one entry a step. */
final class Scripts {

    private static final String COMMON = "late/common";

    static final Script<List<Object>> ADD = Script.list(COMMON, "late/add");
    static final Script<List<Object>> SWAP = Script.list(COMMON, "late/swap");
    static final Script<List<Object>> CLAIM = Script.list("late/claim");
    static final Script<List<Object>> WRITTEN = Script.list("late/written");
    static final Script<List<Object>> DROP = Script.list("late/drop");
    static final Script<List<Object>> FORGET = Script.list("late/forget");
    static final Script<List<Object>> LIST = Script.list("late/list");

    private Scripts() {}
}
