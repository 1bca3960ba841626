/**
 * Validates deployments, replica sets, daemon sets, stateful sets and controller revisions
 * (pkg/apis/apps/validation); pod templates are validated by the core group. Begin at {@link
 * dev.keelson.schema.validation.apps.AppsKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.apps;

import org.jspecify.annotations.NullMarked;
