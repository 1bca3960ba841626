/**
 * Validates endpoint slices (pkg/apis/discovery/validation); addresses are checked as those of
 * endpoints of the core group. Begin at {@link
 * dev.keelson.schema.validation.discovery.DiscoveryKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.discovery;

import org.jspecify.annotations.NullMarked;
