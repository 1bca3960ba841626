/**
 * The access reviews, SelfSubjectReview and visiblenamespaces: resources that are computed and not
 * stored. Begin with {@link dev.keelson.http.access.Reviews}.
 */
@NullMarked
package dev.keelson.http.access;

import org.jspecify.annotations.NullMarked;
