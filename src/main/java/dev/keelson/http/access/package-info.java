/**
 * The reviews: resources that are questions about who one is and what one may do. Nothing of them
 * is stored; begin with {@link dev.keelson.http.access.Reviews}, which lists them.
 */
@NullMarked
package dev.keelson.http.access;

import org.jspecify.annotations.NullMarked;
