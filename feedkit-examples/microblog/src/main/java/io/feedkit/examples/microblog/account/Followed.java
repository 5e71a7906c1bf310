package io.feedkit.examples.microblog.account;

/** An event of the application: an account follows another, or does not any more. It may come again. */
public record Followed(Account follower, Account followee, boolean following) {}
