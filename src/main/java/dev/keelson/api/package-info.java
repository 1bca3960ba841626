/**
 * The words that all layers share: group, version and kind, verbs, selectors, and the one error
 * type that becomes a Status. Knows the JDK only. Begin with {@link
 * dev.keelson.api.GroupVersionResource} and {@link dev.keelson.api.ApiException}.
 */
@NullMarked
package dev.keelson.api;

import org.jspecify.annotations.NullMarked;
