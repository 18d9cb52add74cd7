package io.belay.spring;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** What an aspect of the application stands before. */
@Retention(RetentionPolicy.RUNTIME)
@interface Audited {}
