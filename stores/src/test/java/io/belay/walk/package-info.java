/** The walks of a call through the classes, traced by a debugger: see docs/architecture.md. */
@NullMarked
package io.belay.walk;

import org.jspecify.annotations.NullMarked;
