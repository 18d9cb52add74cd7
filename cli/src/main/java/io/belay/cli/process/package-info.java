/** Child processes that neither outlive their parent nor have a secret among their arguments. */
@NullMarked
package io.belay.cli.process;

import org.jspecify.annotations.NullMarked;
