/**
 * Validates migrations of stored objects and the conditions in their statuses
 * (pkg/apis/storagemigration/validation). Begin at {@link
 * dev.keelson.schema.validation.storagemigration.StorageMigrationKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.storagemigration;

import org.jspecify.annotations.NullMarked;
