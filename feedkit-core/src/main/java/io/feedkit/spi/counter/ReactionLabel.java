package io.feedkit.spi.counter;

import io.feedkit.internal.check.Arguments;
import java.util.Optional;

/**
 * The label of a reaction in the set of its user, for stores that recount reactions. As text it is the incarnation of
 * the post, the sign {@code +} or {@code -}, and the choice. Until the counts of the post are changed, {@code <} and
 * the previous choice follow, if there was one.
 *
 * @param incarnation the incarnation of the post
 * @param isOn whether the user reacts; false for a reaction that is being taken back
 * @param choice the choice; {@code ""} for a reaction without choices
 * @param before the choice that this one replaces
 * @since 0.1.0
 */
public record ReactionLabel(long incarnation, boolean isOn, String choice, Optional<String> before) {
    /** Refuses null. */
    public ReactionLabel {
        Arguments.nonNull("choice", choice);
        Arguments.nonNull("before", before);
    }

    private static final char ON = '+';
    private static final char OFF = '-';
    private static final char BEFORE = '<';

    /**
     * Parses a label.
     *
     * @param label the text of the label
     * @return the label
     */
    public static ReactionLabel of(String label) {
        int sign = 0;
        Arguments.nonNull("label", label);
        while (label.charAt(sign) != ON && label.charAt(sign) != OFF) {
            sign++;
        }
        int end = label.indexOf(BEFORE);
        return new ReactionLabel(
                Long.parseLong(label.substring(0, sign)),
                label.charAt(sign) == ON,
                label.substring(sign + 1, end < 0 ? label.length() : end),
                end < 0 ? Optional.empty() : Optional.of(label.substring(end + 1)));
    }

    /**
     * The label of a new reaction.
     *
     * @param incarnation the incarnation of the post
     * @param choice the choice; {@code ""} without choices
     * @return the label
     */
    public static ReactionLabel on(long incarnation, String choice) {
        return new ReactionLabel(incarnation, true, choice, Optional.empty());
    }

    /**
     * The label of this reaction while it is taken back.
     *
     * @return the label
     */
    public ReactionLabel off() {
        return new ReactionLabel(incarnation, false, choice, Optional.empty());
    }

    /**
     * The label of this reaction with another choice, until the counts are changed.
     *
     * @param other the other choice
     * @return the label
     */
    public ReactionLabel changedTo(String other) {
        return new ReactionLabel(incarnation, true, other, Optional.of(choice));
    }

    /**
     * The label after the counts are changed.
     *
     * @return the label; empty if there is no reaction any more
     */
    public Optional<ReactionLabel> settled() {
        return isOn ? Optional.of(on(incarnation, choice)) : Optional.empty();
    }

    /**
     * Returns the choice whose count has this reaction.
     *
     * @param redeemed whether the ticket of the reaction was redeemed; true for a settled one
     * @return the choice; empty if no count has the reaction
     */
    public Optional<String> counted(boolean redeemed) {
        if (isOn) {
            return redeemed ? Optional.of(choice) : before;
        }
        return redeemed ? Optional.empty() : Optional.of(choice);
    }

    /**
     * The label as text.
     *
     * @return the text
     */
    public String text() {
        return incarnation
                + (isOn ? "+" : "-")
                + choice
                + before.map(earlier -> BEFORE + earlier).orElse("");
    }
}
