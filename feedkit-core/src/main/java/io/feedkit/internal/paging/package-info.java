/**
 * What a cursor says about the posts that were shown.
 */
@NullMarked
package io.feedkit.internal.paging;

import org.jspecify.annotations.NullMarked;
