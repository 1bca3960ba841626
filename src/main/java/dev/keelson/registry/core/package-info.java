/** What is special about kinds of the core group. */
@NullMarked
package dev.keelson.registry.core;

import org.jspecify.annotations.NullMarked;
