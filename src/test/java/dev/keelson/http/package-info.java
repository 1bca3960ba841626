/** Tests of the parts of the HTTP layer that every request goes through. */
@NullMarked
package dev.keelson.http;

import org.jspecify.annotations.NullMarked;
