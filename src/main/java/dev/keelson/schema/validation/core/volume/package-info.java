/**
 * Validates volumes of pods, persistent volumes and persistent volume claims
 * (pkg/apis/core/validation). Knows nothing of the pods around the volumes. Begin at {@link
 * dev.keelson.schema.validation.core.volume.VolumeRules}.
 */
@NullMarked
package dev.keelson.schema.validation.core.volume;

import org.jspecify.annotations.NullMarked;
