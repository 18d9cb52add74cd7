/** What browsers ask for: the page, its stream, and the end of a hold; and who may. */
@NullMarked
package io.belay.dashboard.web;

import org.jspecify.annotations.NullMarked;
