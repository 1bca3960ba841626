/** What the builder of the native executable is told in code. Not used on the JVM. */
@NullMarked
package dev.keelson.server.image;

import org.jspecify.annotations.NullMarked;
