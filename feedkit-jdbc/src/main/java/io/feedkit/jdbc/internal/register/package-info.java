/**
 * The pulled register in SQL. Begin with {@link io.feedkit.jdbc.internal.register.JdbcPulledRegister}; how it knows
 * what changed is {@link io.feedkit.jdbc.internal.register.ChangeLog}.
 */
@NullMarked
package io.feedkit.jdbc.internal.register;

import org.jspecify.annotations.NullMarked;
