/**
 * Priority and fairness in the filter chain: the seats of one request, from its classification to
 * the end of its answer. What is decided, and why, is in {@code flow}. Begin with {@link
 * dev.keelson.http.fairness.PriorityAndFairness}.
 */
@NullMarked
package dev.keelson.http.fairness;

import org.jspecify.annotations.NullMarked;
