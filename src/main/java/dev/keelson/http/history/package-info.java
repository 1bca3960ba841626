/**
 * The subresource {@code history} of every stored type: the revisions of one object, the difference
 * between two of them, and bringing one back. Begin with {@link
 * dev.keelson.http.history.HistoryHandler}; docs/history.md describes it for users.
 */
@NullMarked
package dev.keelson.http.history;

import org.jspecify.annotations.NullMarked;
