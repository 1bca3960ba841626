/**
 * Values that the API writes as text: quantities, IP addresses, networks, durations and times; and
 * the escapes of text. Each type reads exactly the syntax that Kubernetes reads, with its error
 * messages, and prints the canonical form. Immutable; uses the JDK alone, so that every other
 * package may use it. Begin with {@link dev.keelson.value.Quantity}.
 */
@NullMarked
package dev.keelson.value;

import org.jspecify.annotations.NullMarked;
