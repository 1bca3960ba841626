/**
 * Rules about the whole of Keelson that no single package can check for itself. Begin with {@link
 * dev.keelson.ArchitectureTest}.
 */
@NullMarked
package dev.keelson;

import org.jspecify.annotations.NullMarked;
