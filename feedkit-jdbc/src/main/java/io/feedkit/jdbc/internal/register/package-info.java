/**
 * The pulled register in SQL. Read {@link io.feedkit.jdbc.internal.register.JdbcPulledRegister} first;
 * {@link io.feedkit.jdbc.internal.register.ChangeLog} finds what changed.
 */
@NullMarked
package io.feedkit.jdbc.internal.register;

import org.jspecify.annotations.NullMarked;
