package io.feedkit.survival.chaos;

/**
 * A rule that did not hold.
 *
 * @param rule the rule
 * @param evidence what was seen, in lines
 */
record Violation(Rule rule, String evidence) {}
