/**
 * A Kubernetes API server in the JVM of a test. Begin at {@link dev.keelson.junit.KeelsonTest}, or,
 * without JUnit, at {@link dev.keelson.junit.KeelsonServer}. Parameters and results are never null,
 * unless it says otherwise.
 */
package dev.keelson.junit;
