/**
 * Compares stored data with the source of truth. Read {@link io.feedkit.internal.verify.Comparison} first: it decides
 * when a difference is a finding. {@link io.feedkit.internal.verify.Verification} runs the stages.
 */
@NullMarked
package io.feedkit.internal.verify;

import org.jspecify.annotations.NullMarked;
