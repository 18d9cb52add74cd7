/**
 * Belay in Spring Boot: a client of the store that the application has already, locks by annotation, health, metrics and an
 * endpoint, each where what it needs is on the class path.
 */
@NullMarked
package io.belay.spring.boot;

import org.jspecify.annotations.NullMarked;
