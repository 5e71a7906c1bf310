package io.feedkit.survival.chaos;

/**
 * A violation of a rule.
 *
 * @param rule the rule
 * @param evidence the observations, in lines
 */
record Violation(Rule rule, String evidence) {}
