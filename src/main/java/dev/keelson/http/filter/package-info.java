/**
 * The filters that every request passes, in the order of {@link
 * dev.keelson.http.filter.FilterOrder}.
 */
@NullMarked
package dev.keelson.http.filter;

import org.jspecify.annotations.NullMarked;
