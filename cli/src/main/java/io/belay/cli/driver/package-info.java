/** JDBC drivers that the user brings along in jars. */
@NullMarked
package io.belay.cli.driver;

import org.jspecify.annotations.NullMarked;
