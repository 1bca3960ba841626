/**
 * Validates storage classes, volume attachments, CSI drivers and their capacities
 * (pkg/apis/storage/validation). Begin at {@link
 * dev.keelson.schema.validation.storage.StorageKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.storage;

import org.jspecify.annotations.NullMarked;
