/** Reports of what was measured, as JSON, as Markdown with tables, and as charts. */
@NullMarked
package io.belay.bench.report;

import org.jspecify.annotations.NullMarked;
