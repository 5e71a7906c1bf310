package io.feedkit.redis.internal.inbox;

import io.feedkit.redis.internal.link.Script;
import io.lettuce.core.ScriptOutputType;

/** The steps of an inbox. */
final class Scripts {

    static final Script DELIVER = Script.named("deliver", ScriptOutputType.VALUE);
    static final Script SLICE = Script.named("slice", ScriptOutputType.MULTI);
    static final Script OPEN = Script.named("open", ScriptOutputType.INTEGER);
    static final Script MERGE = Script.named("merge", ScriptOutputType.INTEGER);
    static final Script COMPLETE = Script.named("complete", ScriptOutputType.INTEGER);
    static final Script RETRACT = Script.named("retract", ScriptOutputType.INTEGER);
    static final Script PURGE = Script.named("purge", ScriptOutputType.INTEGER);
    static final Script BEGIN_FOLLOW = Script.named("begin-follow", ScriptOutputType.INTEGER);
    static final Script END_FOLLOW = Script.named("end-follow", ScriptOutputType.INTEGER);
    static final Script UNFOLLOW = Script.named("unfollow", ScriptOutputType.INTEGER);
    static final Script DROP = Script.named("drop", ScriptOutputType.INTEGER);

    private Scripts() {}
}
