package io.feedkit.redis.internal.inbox;

import io.feedkit.redis.internal.call.Script;
import java.util.List;

/** The scripts of the inbox. */
final class InboxScripts {

    private static final String COMMON = "inbox/common";

    static final Script<byte[]> DELIVER = Script.bytes(COMMON, "inbox/deliver");
    static final Script<byte[]> SLICE = Script.bytes(COMMON, "inbox/slice");
    static final Script<byte[]> COUNT = Script.bytes(COMMON, "inbox/count");
    static final Script<Long> OPEN = Script.number(COMMON, "inbox/open");
    static final Script<Long> MERGE = Script.number(COMMON, "inbox/merge");
    static final Script<Long> COMPLETE = Script.number(COMMON, "inbox/complete");
    static final Script<Long> RETRACT = Script.number(COMMON, "inbox/retract");
    static final Script<Long> REMOVE = Script.number(COMMON, "inbox/remove");
    static final Script<Long> PURGE = Script.number(COMMON, "inbox/purge");
    static final Script<Long> BEGIN_FOLLOW = Script.number(COMMON, "inbox/begin-follow");
    static final Script<List<Object>> END_FOLLOW = Script.list(COMMON, "inbox/end-follow");
    static final Script<Long> LOSS = Script.number("inbox/loss");
    static final Script<Long> DROP = Script.number(COMMON, "inbox/drop");

    private InboxScripts() {}
}
