package io.feedkit.internal.fanout.batch;

import java.util.List;
import java.util.Set;

/**
 * The progress of a task. Normally all followers up to one id are done. If a part of the inbox store cannot be reached,
 * the task skips the readers of that part, and records two ids. After the last follower it starts again after the first
 * of the two ids. That part may be back by then.
 *
 * <p>In the log a cursor is one id, or two with a space between them, which no id contains.
 *
 * @param done all followers up to and including this id are done; {@code ""} for none
 * @param tried all followers up to and including this id are done, or were not reached
 * @param isPutOff whether some followers after {@code done} were not reached, beginning with the first one
 */
record TaskCursor(String done, String tried, boolean isPutOff) {

    static TaskCursor parse(String text) {
        int space = text.indexOf(' ');
        return space < 0
                ? new TaskCursor(text, text, false)
                : new TaskCursor(text.substring(0, space), text.substring(space + 1), true);
    }

    String text() {
        return isPutOff ? done + " " + tried : done;
    }

    /** Whether followers were skipped. */
    boolean isBehind() {
        return isPutOff && !tried.equals(done);
    }

    /** The cursor after a batch for some followers. The unreached readers may include the author, who is first. */
    TaskCursor after(List<String> followers, Set<String> unreached) {
        String last = followers.isEmpty() ? tried : followers.get(followers.size() - 1);
        if (isBehind()) {
            return new TaskCursor(done, last, true);
        }
        if (unreached.isEmpty()) {
            return new TaskCursor(last, last, false);
        }
        String before = done;
        if (followers.containsAll(unreached)) {
            for (String follower : followers) {
                if (unreached.contains(follower)) {
                    break;
                }
                before = follower;
            }
        }
        return new TaskCursor(before, last, true);
    }

    /** The cursor after the last follower. */
    TaskCursor atEnd() {
        return new TaskCursor(done, done, isPutOff);
    }
}
