package io.feedkit.examples.microblog.account;

/** An event of the application: an account follows another since now. */
public record Followed(Account follower, Account followee) {}
