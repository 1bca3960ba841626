/**
 * Basic types of all layers: group, version and kind, verbs, selectors, and the error type that
 * becomes a Status. Uses the JDK only. Begin with {@link dev.keelson.api.GroupVersionResource} and
 * {@link dev.keelson.api.ApiException}.
 */
@NullMarked
package dev.keelson.api;

import org.jspecify.annotations.NullMarked;
