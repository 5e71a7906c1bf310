/** Opens the store of an application that runs: the options that several commands share. */
@NullMarked
package io.feedkit.tools.application;

import org.jspecify.annotations.NullMarked;
