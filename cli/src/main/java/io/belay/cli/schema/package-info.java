/** {@code belay schema}. */
@NullMarked
package io.belay.cli.schema;

import org.jspecify.annotations.NullMarked;
