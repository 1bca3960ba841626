/**
 * A custom resource as a Java class, its definition by fabric8's generator, and an operator of the
 * Java Operator SDK that reconciles it. For the suites of {@link dev.keelson.blackbox}; begin with
 * {@link dev.keelson.blackbox.operator.Garden}.
 */
@NullMarked
package dev.keelson.blackbox.operator;

import org.jspecify.annotations.NullMarked;
