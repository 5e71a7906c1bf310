/** Accounts, follows, search and what clients ask about the instance. Read {@code Follows} first. */
@NullMarked
package io.feedkit.examples.microblog.account;

import org.jspecify.annotations.NullMarked;
